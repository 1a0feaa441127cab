import type { Backend, ParallelConfig, ReplicatedShape, WorkerShape } from '@spica/schema'
import { usedGpus } from '@spica/schema'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  allWorkerShapes,
  configTuple,
  enumerate,
  explainShape,
  type MoeBackend,
  type WorkerShapeOptions,
} from '../src/index.js'
import { fakeRules } from './fake-rules.js'

const backends: Backend[] = ['vllm', 'sglang', 'trtllm']

const structures: fc.Arbitrary<WorkerShapeOptions> = fc.record({
  isMoe: fc.boolean(),
  backend: fc.constantFrom(...backends),
  moeBackend: fc.constantFrom<MoeBackend | null>(null, 'deepep_moe', 'megamoe'),
  allowMoePureTp: fc.boolean(),
  singleGpuMoe: fc.boolean(),
})

describe('worker shapes', () => {
  it('are exactly the tuples that pass the rules on structure', () => {
    const sizes = [1, 2, 3, 4, 8, 16, 32]
    fc.assert(
      fc.property(structures, fc.integer({ min: 1, max: 40 }), (structure, gpuBudget) => {
        const legal: WorkerShape[] = []
        for (const tp of sizes)
          for (const attentionDp of sizes)
            for (const moeTp of sizes)
              for (const moeEp of sizes) {
                const shape = { tp, attentionDp, moeTp, moeEp }
                if (explainShape(shape, structure.backend, 'agg', { ...structure, gpuBudget }).ok) legal.push(shape)
              }
        const built = allWorkerShapes(gpuBudget, structure)
        expect(new Set(built.map((shape) => JSON.stringify(shape)))).toEqual(
          new Set(legal.map((shape) => JSON.stringify(shape))),
        )
        expect(built).toHaveLength(legal.length)
      }),
      { numRuns: 15 },
    )
  })
})

describe('pools', () => {
  it('hold every combination in the GPU band once, tagged with the backends whose rules agree', () => {
    const options = fc.record({
      isMoe: fc.boolean(),
      gpuBudget: fc.integer({ min: 1, max: 12 }),
      minShare: fc.double({ min: 0, max: 1, noNaN: true }),
      salt: fc.nat(500),
      list: fc.shuffledSubarray(backends, { minLength: 1 }),
    })
    fc.assert(
      fc.property(options, ({ isMoe, gpuBudget, minShare, salt, list }) => {
        const minGpuBudget = Math.max(1, Math.floor(minShare * gpuBudget))
        const ruleSet = fakeRules({ rejectEvery: 4, salt })
        const expected = new Map<string, string>()
        const shapes = allWorkerShapes(gpuBudget, { isMoe, backend: 'vllm' })
        const units: ReplicatedShape[] = shapes.flatMap((shape) =>
          Array.from({ length: gpuBudget }, (_, k) => ({ ...shape, replicas: k + 1 })),
        )
        const runs = (role: 'agg' | 'prefill' | 'decode', shape: ReplicatedShape, backend: Backend): boolean =>
          ruleSet.rules.every((rule) => rule.check(shape, ruleSet.contextFor(backend, role)).ok)
        const consider = (config: ParallelConfig, able: Backend[]): void => {
          const gpus = usedGpus(config)
          if (gpus < minGpuBudget || gpus > gpuBudget || able.length === 0) return
          expected.set(configTuple(config).join(' '), able.join(' '))
        }
        for (const unit of units) {
          consider(
            { mode: 'agg', agg: unit },
            list.filter((one) => runs('agg', unit, one)),
          )
          for (const decode of units) {
            const able = list.filter((one) => runs('prefill', unit, one) && runs('decode', decode, one))
            consider({ mode: 'disagg', prefill: unit, decode }, able)
          }
        }
        const actual = new Map<string, string>()
        let rows = 0
        const call = () =>
          enumerate({ deploymentModes: ['agg', 'disagg'], backends: list, isMoe, gpuBudget, minGpuBudget, ruleSet })
        if (expected.size === 0) {
          expect(call).toThrow('no viable parallel configuration')
          return
        }
        for (const { pool } of call().branches) {
          for (let i = 0; i < pool.size; i++) {
            rows++
            actual.set(configTuple(pool.at(i)).join(' '), pool.backendsAt(i).join(' '))
          }
          // Rows of the first backend that supports them, in list order.
          const ranks = Array.from({ length: pool.size }, (_, i) => list.indexOf(pool.backendsAt(i)[0]!))
          expect(ranks).toEqual([...ranks].sort((a, b) => a - b))
        }
        expect(rows).toBe(expected.size)
        expect(actual).toEqual(expected)
      }),
      { numRuns: 60 },
    )
  })
})
