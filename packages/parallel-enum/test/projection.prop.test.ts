import type { Backend, DeploymentMode } from '@spica/schema'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createProjector, enumerate, type ParallelPool, poolFromConfigs } from '../src/index.js'
import { fakeRules } from './fake-rules.js'
import { projectByScan } from './scan-projection.js'

const backends: Backend[] = ['vllm', 'sglang', 'trtllm']

/** Pools of both modes, dense and MoE, with backends that differ in what they can run. */
const pools: fc.Arbitrary<ParallelPool> = fc
  .record({
    mode: fc.constantFrom<DeploymentMode>('agg', 'disagg'),
    isMoe: fc.boolean(),
    gpuBudget: fc.integer({ min: 2, max: 24 }),
    minShare: fc.double({ min: 0, max: 1, noNaN: true }),
    salt: fc.integer({ min: 0, max: 1000 }),
    listed: fc.boolean(),
  })
  .map(({ mode, isMoe, gpuBudget, minShare, salt, listed }) => {
    const options = { deploymentModes: [mode], backends, isMoe, gpuBudget }
    // A rule that refuses some shapes at random, and if that leaves nothing, no rule.
    const minGpuBudget = Math.max(1, Math.floor(minShare * gpuBudget))
    let pool: ParallelPool
    try {
      pool = enumerate({ ...options, minGpuBudget, ruleSet: fakeRules({ rejectEvery: 3, salt }) }).branches[0]!.pool
    } catch {
      pool = enumerate(options).branches[0]!.pool
    }
    if (!listed) return pool
    // Part of it, in another order, as a user might list it.
    const entries = [...pool].map((config, i) => ({ config, backends: pool.backendsAt(i) }))
    const part = entries.filter((_, i) => (i * 7 + salt) % 3 !== 0).reverse()
    return poolFromConfigs(mode, gpuBudget, backends, part.length > 0 ? part : entries)
  })

/** Ranges beyond the pool's own, round fractions that cause ties, odd engine sizes, absent names, modes nobody has. */
const requests = fc.record(
  {
    used_gpu_ratio: fc.oneof(
      fc.double({ min: -0.5, max: 2, noNaN: true }),
      fc.integer({ min: 0, max: 48 }).map((k) => k / 48),
    ),
    prefill_gpu_share: fc.oneof(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.tuple(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 1, max: 12 })).map(([a, b]) => a / b),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
    ),
    agg_num_gpus_per_engine_target: fc.constantFrom(1, 2, 4, 8, 16, 3, 5.65),
    prefill_num_gpus_per_engine_target: fc.constantFrom(1, 2, 4, 8, 16, 3, 1e-3),
    decode_num_gpus_per_engine_target: fc.constantFrom(1, 2, 4, 8, 16, 2.83, 1e6),
    agg_attention_mode: fc.constantFrom('tp', 'dp'),
    prefill_attention_mode: fc.constantFrom('tp', 'dp'),
    decode_attention_mode: fc.constantFrom('tp', 'dp', 'cp'),
    agg_ffn_mode: fc.constantFrom('ep', 'tp'),
    prefill_ffn_mode: fc.constantFrom('ep', 'tp'),
    decode_ffn_mode: fc.constantFrom('ep', 'tp'),
  },
  { requiredKeys: [] },
)

describe('projection', () => {
  it('equals a scan of the whole pool, bit for bit', () => {
    fc.assert(
      fc.property(pools, fc.array(requests, { minLength: 1, maxLength: 8 }), (pool, list) => {
        const projector = createProjector(pool)
        for (const request of list) {
          for (const backend of backends) {
            const expected = projectByScan(pool, request, backend)
            const actual = projector.project(request, backend)
            expect(
              actual && { index: actual.index, distance: actual.distance, mismatches: actual.modeMismatches },
            ).toEqual(expected)
          }
        }
      }),
      { numRuns: 150 },
    )
  })

  it('returns every configuration for its own coordinates, up to replicas that share them', () => {
    fc.assert(
      fc.property(pools, fc.nat(), (pool, pick) => {
        const projector = createProjector(pool)
        const index = pick % pool.size
        const config = pool.at(index)
        const backend = pool.backendsAt(index)[0]!
        const first = projector.project({}, backend)
        expect(first).not.toBeNull()
        const own = projector.project(coordinates(projector.space.hasFfnMode, pool, index), backend)!
        expect(own.distance).toBe(0)
        expect(own.modeMismatches).toBe(0)
        expect(own.config).toEqual(config)
      }),
      { numRuns: 150 },
    )
  })
})

function coordinates(hasFfnMode: boolean, pool: ParallelPool, index: number): Record<string, number | string> {
  const config = pool.at(index)
  const roles = config.mode === 'agg' ? { agg: config.agg } : { prefill: config.prefill, decode: config.decode }
  const request: Record<string, number | string> = {}
  let used = 0
  for (const [role, shape] of Object.entries(roles)) {
    const gpus = shape.tp * shape.attentionDp
    used += gpus * shape.replicas
    request[`${role}_num_gpus_per_engine_target`] = gpus
    request[`${role}_attention_mode`] = shape.attentionDp > 1 ? 'dp' : 'tp'
    if (hasFfnMode) request[`${role}_ffn_mode`] = shape.moeEp > 1 ? 'ep' : 'tp'
  }
  request['used_gpu_ratio'] = used / pool.gpuBudget
  if (config.mode === 'disagg') {
    request['prefill_gpu_share'] = (config.prefill.tp * config.prefill.attentionDp * config.prefill.replicas) / used
  }
  return request
}
