import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { escapeHtml, scriptJson } from '../../src/report/escape-html.js'
import { HOSTILE } from './hostile-text.js'

const anyText = fc.string({ unit: 'binary', maxLength: 60 })

describe('escapeHtml', () => {
  it('leaves nothing that could end text or an attribute', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(escapeHtml(text)).not.toMatch(/[<>"']|&(?!(amp|lt|gt|quot|#39);)/)
      }),
    )
  })

  it('replaces what HTML cannot hold, and keeps line breaks', () => {
    expect(escapeHtml('a\u0000b\ud800c\td\ne\u0085')).toBe('a\ufffdb\ufffdc\td\ne\ufffd')
    expect(escapeHtml('😀 é')).toBe('😀 é')
  })
})

describe('scriptJson', () => {
  it('parses back to the same value and never shows a tag', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const json = scriptJson({ text, [text]: 1 })
        expect(json).not.toMatch(/[<>&\u2028\u2029]/)
        expect(JSON.parse(json)).toEqual({ text, [text]: 1 })
      }),
    )
    expect(scriptJson(HOSTILE)).not.toContain('<')
  })
})
