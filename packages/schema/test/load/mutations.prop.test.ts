import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { type ConfigResult, formatIssue, loadConfigValue, parseConfigBytes, parseConfigText } from '../../src/index.js'
import { VALID_CONFIG_TEXT } from './valid-config.js'

/** Either a config, or at least one issue, each placed in the text and printable on one line. */
function expectSound(result: ConfigResult, placed: boolean): void {
  if (result.ok) {
    expect(result.config.search_space.gpu_budget).toBeGreaterThan(0)
    return
  }
  expect(result.issues.length).toBeGreaterThan(0)
  for (const issue of [...result.issues, ...result.warnings]) {
    expect(formatIssue(issue)).not.toMatch(/\n|undefined|\[object|at .*\.[jt]s:/)
    if (!placed) continue
    expect(issue.location.line).toBeGreaterThanOrEqual(1)
    expect(issue.location.column).toBeGreaterThanOrEqual(1)
  }
}

const snippet = fc.oneof(
  fc.constantFrom(
    ...[
      '\n',
      '  ',
      '\t',
      ': ',
      '- ',
      '? ',
      '[',
      ']',
      '{',
      '}',
      ',',
      '"',
      "'",
      '&a ',
      '*a',
      '<<: *a',
      '!x ',
      '!!set ',
      '|\n',
    ],
    ...[
      '>-\n ',
      '%YAML 1.1\n',
      '---\n',
      '...\n',
      '# ',
      '@',
      '`',
      'null',
      '~',
      '.nan',
      '-.inf',
      '1e999',
      '0x',
      '\0',
      '\ufeff',
    ],
    ...[
      '\u2028',
      '\r',
      '\r\n',
      '𝒳',
      '__proto__: 1\n',
      'true',
      '"8"',
      '-1',
      '[[[[[[',
      '- - - - ',
      'gpu_buget: 1\n',
      '\\',
      '\ud800',
    ],
  ),
  fc.string({ maxLength: 8 }),
)

const edit = fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), drop: fc.nat(30), insert: snippet })

function apply(text: string, edits: readonly { at: number; drop: number; insert: string }[]): string {
  return edits.reduce((current, { at, drop, insert }) => {
    const start = Math.floor(at * current.length)
    return current.slice(0, start) + insert + current.slice(start + drop)
  }, text)
}

type Path = (string | number)[]

function paths(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, item]) => paths(item, [...path, key]))]
}

const odd: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(
    null,
    true,
    0,
    -1,
    8.5,
    1e300,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    '',
    'x',
    '256',
    [],
    {},
    [[]],
    [null],
  ),
  fc.jsonValue({ maxDepth: 3 }),
)

function replaced(value: unknown, path: Path, by: unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return by
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>
  copy[key] = replaced(copy[key], rest, by)
  return copy
}

describe('random mutations of a valid config', () => {
  const valid: unknown = parse(VALID_CONFIG_TEXT)
  const everywhere = paths(valid)

  it('never throw, and place every issue: edits of the text', () => {
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 6 }), (edits) => {
        expectSound(parseConfigText(apply(VALID_CONFIG_TEXT, edits), { file: 'f.yaml' }), true)
      }),
      { numRuns: 600 },
    )
  })

  it('never throw, and place every issue: flipped bytes', () => {
    const bytes = new TextEncoder().encode(VALID_CONFIG_TEXT)
    const flips = fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(flips, (pairs) => {
        const changed = bytes.slice()
        for (const [at, value] of pairs) changed[at] = value
        expectSound(parseConfigBytes(changed, { file: 'f.yaml' }), true)
      }),
      { numRuns: 300 },
    )
  })

  it('never throw: replaced values, as data and as text alike', () => {
    const change = fc.tuple(fc.constantFrom(...everywhere), odd)
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
        const value = changes.reduce((current, [path, by]) => {
          const reachable = path.every((_, depth) => typeof at(current, path.slice(0, depth)) === 'object')
          return reachable && at(current, path.slice(0, -1)) !== null ? replaced(current, path, by) : current
        }, valid)
        const fromValue = loadConfigValue(value)
        const fromText = parseConfigText(stringify(value, { aliasDuplicateObjects: false }) ?? '')
        expectSound(fromValue, false)
        expectSound(fromText, true)
        expect(fromText.ok).toBe(fromValue.ok)
      }),
      { numRuns: 300 },
    )
  })

  it('never throw: any text', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary', maxLength: 200 }),
          fc.array(snippet).map((parts) => parts.join('')),
        ),
        (text) => {
          expectSound(parseConfigText(text), true)
        },
      ),
      { numRuns: 300 },
    )
  })

  it('name a misspelt key', () => {
    const keys = ['gpu_budget', 'deployment_mode', 'planner_scaling_policy', 'max_rounds', 'kv_load_ratio', 'sla']
    const section = {
      gpu_budget: 'search_space',
      deployment_mode: 'search_space',
      planner_scaling_policy: 'search_space',
    }
    const other = { max_rounds: 'sweep', kv_load_ratio: 'workload', sla: 'goal' }
    const owner: Record<string, string> = { ...section, ...other }
    fc.assert(
      fc.property(fc.constantFrom(...keys.slice(0, 5)), fc.nat(), (key, seed) => {
        const drop = 1 + (seed % (key.length - 1))
        const misspelt = key.slice(0, drop) + key.slice(drop + 1)
        fc.pre(misspelt !== key)
        const result = loadConfigValue({ [owner[key]!]: { [misspelt]: 1 } })
        const hints = result.ok ? [] : result.issues.map(({ hint }) => hint)
        expect(hints).toContain(`did you mean ${key}?`)
      }),
    )
  })
})

function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((current, key) => (current as Record<string, unknown> | undefined)?.[key], value)
}
