/** Manifests to copy. */

import { html } from './dom.js'
import { section } from './page-section.js'

/** Files of the export with a copy button each; how to get them where there are none. */
export function manifest(detail, row, allLines) {
  if (detail.manifest === undefined) {
    const how =
      row.rank === null
        ? null
        : html(
            'p',
            null,
            'Not in this report. Write it with ',
            html('code', null, `spica export <this folder> --candidate ${row.rank}`),
            ', then ',
            html('code', null, 'spica report <this folder>'),
            '.',
          )
    return how === null ? null : section('Manifest', how)
  }
  const status = html('span', { class: 'muted', role: 'status' })
  const parts = detail.manifest.map(({ name, lines }) => {
    const text = lines.map((line) => allLines[line]).join('\n')
    const code = html('pre', { tabindex: 0, 'aria-label': `Manifest ${name}` }, text)
    const copy = async () => {
      try {
        await navigator.clipboard.writeText(text)
        status.textContent = 'Copied.'
      } catch {
        const range = document.createRange()
        range.selectNodeContents(code)
        getSelection().removeAllRanges()
        getSelection().addRange(range)
        status.textContent = 'Selected: press Ctrl+C or ⌘C to copy.'
      }
    }
    return [
      html(
        'div',
        { class: 'manifest-head' },
        html('code', null, name),
        html('button', { type: 'button', class: 'copy', click: copy }, 'Copy'),
      ),
      code,
    ]
  })
  return section('Manifest', ...parts.flat(), status)
}
