import { describe, expect, it } from 'vitest'
import {
  type ConfigResult,
  loadConfigValue,
  MAX_CONFIG_BYTES,
  parseConfigBytes,
  parseConfigText,
} from '../../src/index.js'

function codes(result: ConfigResult): string[] {
  return result.ok ? [] : result.issues.map(({ code }) => code)
}

function expectPlaced(result: ConfigResult): void {
  const issues = result.ok ? [] : result.issues
  expect(issues.length).toBeGreaterThan(0)
  for (const { location } of issues) {
    expect(location.line).toBeGreaterThanOrEqual(1)
    expect(location.column).toBeGreaterThanOrEqual(1)
  }
}

const laughs = [
  'a: &a [x, x, x, x, x, x, x, x, x]',
  ...[...'bcdefghi'].map((name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcdefghi'[index]}`).join(', ')}]`),
].join('\n')

const HALF = MAX_CONFIG_BYTES / 2
const refused: [name: string, text: string, code: string][] = [
  ['an empty document', '', 'empty-document'],
  ['only comments', '# nothing\n\n', 'empty-document'],
  ['a list', '- 1\n- 2\n', 'wrong-type'],
  ['a single word', 'hello', 'wrong-type'],
  ['null', 'null', 'wrong-type'],
  ['two documents', 'a: 1\n---\nb: 2\n', 'yaml-syntax'],
  ['a repeated key', 'search_space: {}\nsearch_space: {}\n', 'duplicate-key'],
  ['a repeated key inside', 'sweep: {max_rounds: 1, max_rounds: 2}', 'duplicate-key'],
  ['a key written two ways', 'sweep: {"max_rounds": 1, max_rounds: 2}', 'duplicate-key'],
  ['exploding aliases', laughs, 'too-large'],
  ['an alias of itself', 'a: &a [*a]', 'alias-loop'],
  ['an alias of nothing', 'sweep: *nowhere', 'unknown-alias'],
  ['a merge key', 'a: &a {x: 1}\nb: {<<: *a}', 'merge-key'],
  ['an unknown tag', 'sweep: !acme {}', 'unknown-tag'],
  ['a binary tag', 'sweep: !!binary aGk=', 'unknown-tag'],
  ['a list as key', '? [a, b]\n: 1\n', 'bad-key'],
  ['an empty key', ': 1\n', 'bad-key'],
  ['tabs as indentation', 'sweep:\n\tmax_rounds: 1\n', 'yaml-syntax'],
  ['an open quote', 'sweep: "x\nworkload: 1\n', 'yaml-syntax'],
  ['an open bracket', 'sweep: [1, 2', 'yaml-syntax'],
  ['NUL characters', 's\0w\0e\0e\0p\0', 'control-character'],
  ['an escape character', 'sweep: \u001b[31m', 'control-character'],
  ['deep brackets', '['.repeat(HALF), 'too-deep'],
  ['deep mappings', '{a: '.repeat(HALF / 4), 'too-deep'],
  ['deep closed brackets', '['.repeat(HALF) + ']'.repeat(HALF), 'too-deep'],
  ['deep dashes', '- '.repeat(HALF), 'too-deep'],
  ['deep question marks', '? '.repeat(HALF), 'too-deep'],
  ['deep indentation', Array.from({ length: 1400 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n'), 'too-deep'],
  [
    'moderately deep indentation',
    Array.from({ length: 60 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n'),
    'too-deep',
  ],
  [
    'very many keys',
    Array.from({ length: 100_000 }, (_, index) => `k${index}: 1`)
      .join('\n')
      .slice(0, MAX_CONFIG_BYTES),
    'too-large',
  ],
  ['very many commas', `[${','.repeat(MAX_CONFIG_BYTES - 2)}`, 'too-large'],
  ['very many brackets', '}'.repeat(MAX_CONFIG_BYTES), 'too-large'],
  ['more than a megabyte', 'x'.repeat(MAX_CONFIG_BYTES + 1), 'too-large'],
]

describe('documents that are no config', () => {
  it.each(refused)('refuses %s', (_, text, code) => {
    const result = parseConfigText(text, { file: 'f' })
    expect(codes(result)).toContain(code)
    expectPlaced(result)
  })

  it('reads yes and 010 by YAML 1.2 whatever a directive says', () => {
    const result = parseConfigText('%YAML 1.1\n---\nsearch_space: {agg_enable_prefix_caching: yes}\n')
    const issue = result.ok ? undefined : result.issues.find(({ code }) => code === 'wrong-type')
    expect(issue?.message).toBe('must be true or false, not the text "yes"')
  })

  it('keeps names of object members apart from keys', () => {
    const result = parseConfigText(
      '__proto__: {search_space: {}}\nconstructor: 1\nsearch_space: {hasOwnProperty: 1, __proto__: 2}',
    )
    expect(codes(result).filter((code) => code === 'unknown-key')).toHaveLength(4)
  })
})

describe('parseConfigBytes', () => {
  it('refuses 100 MB without looking at them', () => {
    const before = process.cpuUsage()
    const result = parseConfigBytes(new Uint8Array(100_000_000), { file: 'huge.yaml' })
    expect(codes(result)).toEqual(['too-large'])
    expectPlaced(result)
    expect(process.cpuUsage(before).user).toBeLessThan(200_000)
  })

  it.each([
    ['Latin-1', [0x61, 0x3a, 0x0a, 0x62, 0xe9, 0x20], 'byte 0xe9 at offset 4', 'save the file as UTF-8'],
    ['UTF-16', [0xff, 0xfe, 0x61, 0x00], 'byte 0xff at offset 0', 'it is UTF-16'],
    ['gzip', [0x1f, 0x8b, 0x08, 0x00], 'byte 0x8b at offset 1', 'gzip'],
    ['an overlong form', [0xc0, 0x80], 'offset 0', 'UTF-8'],
    ['a surrogate', [0x61, 0xed, 0xa0, 0x80], 'offset 1', 'UTF-8'],
    ['a cut sequence', [0x61, 0xe2, 0x82], 'offset 1', 'UTF-8'],
    ['beyond Unicode', [0xf4, 0x90, 0x80, 0x80], 'offset 0', 'UTF-8'],
  ])('refuses %s', (_, bytes, message, hint) => {
    const result = parseConfigBytes(Uint8Array.from(bytes))
    expect(codes(result)).toEqual(['not-utf-8'])
    const issue = result.ok ? undefined : result.issues[0]
    expect(issue?.message).toContain(message)
    expect(issue?.hint).toContain(hint)
    expectPlaced(result)
  })

  it('points at the broken character', () => {
    const result = parseConfigBytes(Uint8Array.from([0x61, 0x3a, 0x0a, 0xc3, 0xa9, 0x62, 0xff]))
    expect(result.ok ? undefined : result.issues[0]?.location).toMatchObject({ line: 2, column: 3 })
  })

  it('accepts a byte order mark and any language in comments', () => {
    const text = '\ufeff# größe 模型 🚀\nsearch_space: {model_name: m, hardware_sku: s}\nworkload: {trace_path: t}\n'
    expect(parseConfigBytes(new TextEncoder().encode(text)).ok).toBe(true)
  })
})

describe('loadConfigValue', () => {
  it.each([[undefined], [null], [3], ['x'], [[]], [() => 1], [Symbol('x')], [10n], [new Map()], [new Date(0)]])(
    'refuses %s',
    (value) => {
      expect(loadConfigValue(value).ok).toBe(false)
    },
  )

  it('survives values that fail when read, loops and depth', () => {
    const trap = Object.defineProperty({}, 'search_space', {
      enumerable: true,
      get: () => {
        throw new Error('no')
      },
    })
    expect(codes(loadConfigValue(trap))).toEqual(['unreadable'])
    const loop: Record<string, unknown> = {}
    loop['search_space'] = loop
    expect(loadConfigValue(loop).ok).toBe(false)
    let deep: unknown = 1
    for (let level = 0; level < 100_000; level++) deep = [deep]
    expect(loadConfigValue({ search_space: deep, workload: { kv_load_ratio: deep } }).ok).toBe(false)
  })
})
