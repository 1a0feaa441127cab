/** The page of one deployment. */

import { formatNumber } from './axis.js'
import { html } from './dom.js'
import { modeName } from './filters.js'
import { missingLoad, plannerEvents, utilisation } from './load-sections.js'
import { manifest } from './manifest-section.js'
import { rowName } from './model.js'
import { section } from './page-section.js'
import { backendName, deploymentInWords } from './plain-words.js'

function figures(row, payload) {
  const cards = payload.objectives.map(({ name, label, unit }) => [label, row.values[name], unit])
  for (const { name, label, unit, table } of payload.measures)
    if (table && row.values[name] !== undefined) cards.push([label, row.values[name], unit])
  cards.push(['GPUs', row.gpus, ''])
  return html(
    'dl',
    { class: 'figures' },
    cards.map(([label, value, unit]) =>
      html(
        'div',
        null,
        html('dt', null, label),
        html('dd', null, formatNumber(value), unit ? html('span', { class: 'unit' }, ` ${unit}`) : null),
      ),
    ),
  )
}

function latencies(detail) {
  if (detail.percentiles === undefined) return null
  const heads = ['mean', 'median', 'p75', 'p90', 'p95', 'p99', 'max']
  const rows = detail.percentiles.map(({ label, unit, values }) =>
    html(
      'tr',
      null,
      html('th', { scope: 'row' }, label, html('span', { class: 'unit' }, ` ${unit}`)),
      values.map((value) => html('td', { class: 'number' }, formatNumber(value))),
    ),
  )
  return section(
    'Latency percentiles',
    html(
      'div',
      { class: 'scroll' },
      html(
        'table',
        null,
        html(
          'thead',
          null,
          html(
            'tr',
            null,
            html('th', { scope: 'col' }, ''),
            heads.map((head) => html('th', { scope: 'col', class: 'number' }, head)),
          ),
        ),
        html('tbody', null, rows),
      ),
    ),
  )
}

function bottleneck(detail) {
  if (detail.bottleneck === undefined) return null
  const { kind, title, because, numbers } = detail.bottleneck
  return html(
    'section',
    { class: 'card bottleneck', 'data-kind': kind },
    html('h3', null, 'Bottleneck'),
    html('p', { class: 'verdict' }, title),
    html('p', null, because),
    html(
      'dl',
      { class: 'facts' },
      numbers.map(([label, value]) => html('div', null, html('dt', null, label), html('dd', null, value))),
    ),
    html('p', { class: 'muted' }, html('a', { href: '#method-bottleneck' }, 'How this is decided')),
  )
}

function configTable(config) {
  return html(
    'details',
    { class: 'card' },
    html('summary', null, 'Every setting'),
    html(
      'div',
      { class: 'scroll' },
      html(
        'table',
        { class: 'settings' },
        html(
          'tbody',
          null,
          Object.entries(config).map(([key, value]) =>
            html(
              'tr',
              null,
              html('th', { scope: 'row' }, html('code', null, key)),
              html('td', null, typeof value === 'object' ? JSON.stringify(value) : String(value)),
            ),
          ),
        ),
      ),
    ),
  )
}

function relation(row, model) {
  const extra = model.payload.candidates[row.rank - 1]?.alternatives ?? []
  if (row.rank !== null && extra.length > 0)
    return html(
      'p',
      { class: 'muted' },
      'Trials with exactly the same objectives: ',
      extra.flatMap((id, index) => [index === 0 ? '' : ', ', html('a', { href: `#trial-${id}` }, `trial ${id}`)]),
    )
  if (row.rank !== null || model.payload.kind !== 'front') return null
  const beats = (other) =>
    model.payload.objectives.every(({ name, direction }) =>
      direction === 'maximize' ? other.values[name] >= row.values[name] : other.values[name] <= row.values[name],
    )
  const better = model.candidates.filter(beats)
  if (better.length === 0) return null
  const [first] = better
  const margins = model.payload.objectives.map(
    ({ name, label, unit }) => `${label} ${formatNumber(Math.abs(first.values[name] - row.values[name]))} ${unit}`,
  )
  return html(
    'p',
    null,
    'Not on the front: ',
    html('a', { href: `#trial-${first.id}` }, rowName(first)),
    ` is at least as good in everything, better by ${margins.join(' and ')}`,
    better.length > 1 ? `; ${better.length - 1} more ${better.length === 2 ? 'beats' : 'beat'} it too.` : '.',
  )
}

/** Elements of the page of `row`. */
export function candidatePage(row, model) {
  const { payload } = model
  const config = row.config()
  const detail = payload.details[row.id] ?? {}
  const words = deploymentInWords(config)
  const place = model.candidates.indexOf(row)
  const step = (other, text, rel) => (other === undefined ? null : html('a', { href: `#trial-${other.id}`, rel }, text))
  return [
    html(
      'nav',
      { class: 'pager', 'aria-label': 'Candidates' },
      html('a', { href: '#overview' }, '← All results'),
      html(
        'span',
        null,
        place < 0 ? null : step(model.candidates[place - 1], '← Previous', 'prev'),
        place < 0
          ? step(model.candidates[0], 'Best candidate', 'next')
          : step(model.candidates[place + 1], 'Next →', 'next'),
      ),
    ),
    html('h2', { id: 'candidate-title', tabindex: -1 }, rowName(row), html('span', { class: 'shape' }, row.shape)),
    html(
      'p',
      { class: 'sub' },
      `${backendName(row.backend)} · ${modeName(row.mode)} · trial ${row.id}, round ${row.round}`,
      html('span', { class: 'tag' }, 'predicted'),
    ),
    relation(row, model),
    figures(row, payload),
    html(
      'div',
      { class: 'two' },
      section('In plain words', ...words.map((sentence) => html('p', null, sentence))),
      bottleneck(detail),
    ),
    latencies(detail),
    utilisation(detail, row.mode === 'disagg'),
    plannerEvents(detail, config),
    missingLoad(payload, row, detail),
    manifest(detail, row, payload.lines),
    configTable(config),
  ].filter((part) => part !== null)
}
