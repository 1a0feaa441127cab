import { SpicaConfigError } from '@spica/schema'
import { describe, expect, it } from 'vitest'
import { parseEngineArgs, parseRouterConfig } from '../src/index.js'

function issuesOf(parse: () => unknown): string[] {
  try {
    parse()
  } catch (error) {
    if (error instanceof SpicaConfigError)
      return error.issues.map((issue) => `${issue.location.path}: ${issue.message}`)
    throw error
  }
  return []
}

describe('parseEngineArgs', () => {
  it('accepts what upstream writes and drops unset options', () => {
    expect(
      parseEngineArgs({ engine_type: 'trtllm', trtllm: { capacity_scheduler_policy: 'guaranteed_no_evict' } }),
    ).toEqual({
      engine_type: 'trtllm',
      trtllm: { capacity_scheduler_policy: 'guaranteed_no_evict' },
    })
    expect(parseEngineArgs({ dp_size: null, max_num_batched_tokens: null })).toEqual({ max_num_batched_tokens: null })
    expect(parseEngineArgs({ aic_nextn: 2, aic_nextn_accept_rates: '0.8,0.5' })).toHaveProperty('aic_nextn', 2)
  })

  it('reports every mistake at once, with its path', () => {
    const issues = issuesOf(() =>
      parseEngineArgs({
        engine_type: 'llama',
        num_gpu_blocks: 0,
        block_sise: 64,
        max_num_seqs: '256',
        enable_prefix_caching: 1,
        sglang: { page_size: 1.5 },
        aic_nextn_accept_rates: '0.8,x',
      }),
    )
    expect(issues.map((issue) => issue.split(':')[0])).toEqual([
      'engine_type',
      'num_gpu_blocks',
      'block_sise',
      'max_num_seqs',
      'enable_prefix_caching',
      'sglang.page_size',
      'aic_nextn_accept_rates',
    ])
  })

  it('suggests the key that was meant', () => {
    try {
      parseEngineArgs({ num_gpu_block: 5 }, 'engine.json')
      expect.unreachable()
    } catch (error) {
      expect((error as Error).message).toBe(
        'engine.json num_gpu_block: unknown key "num_gpu_block" (did you mean num_gpu_blocks?)',
      )
    }
  })

  it('refuses what is not an object', () => {
    for (const value of [null, 3, 'x', []]) expect(issuesOf(() => parseEngineArgs(value))).toHaveLength(1)
  })
})

describe('parseRouterConfig', () => {
  it('fills in the defaults', () => {
    expect(parseRouterConfig({ router_temperature: 0.5 })).toMatchObject({
      temperature: 0.5,
      overlapScoreCredit: 1,
      queueThreshold: null,
    })
  })

  it('refuses unknown keys and values out of range', () => {
    expect(
      issuesOf(() => parseRouterConfig({ temperature: 1, router_queue_policy: 'x', overlap_score_credit: -1 })),
    ).toHaveLength(3)
  })
})
