import { describe, expect, it } from 'vitest'
import { parsePins } from '../src/index.js'

const complaints = (...args: Parameters<typeof parsePins>): [string | undefined, string][] =>
  parsePins(...args).issues.map(({ code, location }) => [location.path, code])

describe('parsePins', () => {
  it('fills in 1 for all but tp', () => {
    expect(parsePins('agg', [{ tp: 4 }, { tp: 1, attention_dp: 8, moe_tp: 1, moe_ep: 8, pp: 1, replicas: 2 }])).toEqual(
      {
        configs: [
          { mode: 'agg', agg: { tp: 4, attentionDp: 1, moeTp: 1, moeEp: 1, replicas: 1 } },
          { mode: 'agg', agg: { tp: 1, attentionDp: 8, moeTp: 1, moeEp: 8, replicas: 2 } },
        ],
        issues: [],
      },
    )
    expect(parsePins('disagg', [{ prefill: { tp: 2 }, decode: { tp: 4, replicas: 3 } }]).configs).toEqual([
      {
        mode: 'disagg',
        prefill: { tp: 2, attentionDp: 1, moeTp: 1, moeEp: 1, replicas: 1 },
        decode: { tp: 4, attentionDp: 1, moeTp: 1, moeEp: 1, replicas: 3 },
      },
    ])
  })

  it.each([0, -1, 2.7, '2', true, null, Number.NaN, Number.POSITIVE_INFINITY, [2]])(
    'names the field of tp %j',
    (tp) => {
      const { configs, issues } = parsePins('agg', [{ tp: 2 }, { tp, replicas: 1 }])
      expect(configs).toHaveLength(1)
      expect(issues).toEqual([
        expect.objectContaining({ code: 'invalid-value', location: { path: 'search_space.parallel_configs[1].tp' } }),
      ])
      expect(issues[0]!.message).toMatch(/^expected an integer of at least 1, found /)
    },
  )

  it('reports every mistake at once, each at its own path', () => {
    expect(complaints('agg', [{ tp: 0, replicas: -2, pp: 2 }, 3, { replicas: 1 }, { tp: 1, zz: 2 }], 'p')).toEqual([
      ['p[0].tp', 'invalid-value'],
      ['p[0].replicas', 'invalid-value'],
      ['p[0].pp', 'invalid-value'],
      ['p[1]', 'invalid-pin'],
      ['p[2].tp', 'missing-key'],
      ['p[3].zz', 'unknown-key'],
    ])
  })

  it('knows what misspelt keys mean', () => {
    const { issues } = parsePins('agg', [{ tp: 1, dp: 8, foo: 1, constructor: 1 }])
    expect(issues.map((issue) => issue.hint)).toEqual([
      'did you mean attention_dp?',
      'known keys: tp, pp, attention_dp, moe_tp, moe_ep, replicas',
      'known keys: tp, pp, attention_dp, moe_tp, moe_ep, replicas',
    ])
  })

  it('tells flat entries from pairs', () => {
    expect(complaints('disagg', [{ tp: 1 }], 'p')).toEqual([['p[0]', 'pin-of-other-mode']])
    expect(complaints('agg', [{ prefill: { tp: 1 }, decode: { tp: 1 } }], 'p')).toEqual([['p[0]', 'pin-of-other-mode']])
    expect(
      complaints('disagg', [{ prefill: 3, decode: { replicas: 2 } }, { prefill: { tp: 1 }, x: 1 }, null], 'p'),
    ).toEqual([
      ['p[0].prefill', 'invalid-pin'],
      ['p[0].decode.tp', 'missing-key'],
      ['p[1].x', 'unknown-key'],
      ['p[1].decode', 'missing-key'],
      ['p[2]', 'invalid-pin'],
    ])
  })
})
