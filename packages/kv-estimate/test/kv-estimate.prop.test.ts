import { listHardware, listModels } from '@spica/catalog'
import type { Backend, ModelSpec, WorkerShape } from '@spica/schema'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  createKvFitRule,
  estimateKv,
  type KvEstimateInput,
  kvBytesOfSequence,
  kvCurve,
  longestSequence,
} from '../src/index.js'
import { poolCapacity } from '../src/memory/pool-tokens.js'

const model = fc.constantFrom(...listModels())
const hardware = fc.constantFrom(...listHardware())
const backend = fc.constantFrom<Backend>('vllm', 'sglang', 'trtllm')
const gpus = fc.constantFrom(1, 2, 4, 8)
const settings = fc.record({
  maxNumBatchedTokens: fc.constantFrom(512, 2048, 8192, 16384, 32768),
  maxNumSeqs: fc.constantFrom(1, 64, 256, 1024),
  memoryFraction: fc.double({ min: 0.05, max: 1, noNaN: true }),
})

function tensorShape(spec: ModelSpec, tp: number): WorkerShape {
  return { tp, attentionDp: 1, moeTp: 1, moeEp: spec.moe === null ? 1 : tp }
}

function divides(spec: ModelSpec, tp: number): boolean {
  return spec.heads % tp === 0 && (spec.moe === null || spec.moe.experts % tp === 0)
}

const input = fc
  .tuple(model, hardware, backend, gpus, settings, fc.constantFrom(undefined, 'aic-0.11' as const))
  .filter(([spec, , , tp]) => divides(spec, tp))
  .map(([spec, sku, engine, tp, chosen, compat]): KvEstimateInput => {
    const base = { model: spec, hardware: sku, backend: engine, shape: tensorShape(spec, tp), settings: chosen }
    return compat === undefined ? base : { ...base, compat }
  })

const tokensOf = (query: KvEstimateInput): number => estimateKv(query).totalKvSizeTokens ?? 0

describe('estimateKv', () => {
  it('gives finite figures that add up', () => {
    fc.assert(
      fc.property(input, (query) => {
        const found = estimateKv(query)
        const sum = found.weightsBytes + found.activationsBytes + found.runtimeOverheadBytes + found.commOverheadBytes
        expect(found.nonKvBytes).toBe(sum)
        expect(Number.isFinite(found.kvBudgetBytes)).toBe(true)
        expect(found.feasible).toBe(found.totalKvSizeTokens !== null)
        expect(found.feasible).toBe(found.reason === null)
        expect(found.shortfallBytes > 0).toBe(!found.feasible)
        if (found.feasible) {
          expect(Number.isSafeInteger(found.totalKvSizeTokens)).toBe(true)
          expect(found.totalKvSizeTokens! * found.kvSizePerTokenBytes).toBeLessThanOrEqual(found.kvBudgetBytes + 1)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('grows with the memory fraction', () => {
    fc.assert(
      fc.property(input, fc.double({ min: 0.05, max: 1, noNaN: true }), (query, other) => {
        const [low, high] = [query.settings.memoryFraction, other].sort((a, b) => a - b)
        const at = (memoryFraction: number) => tokensOf({ ...query, settings: { ...query.settings, memoryFraction } })
        expect(at(low!)).toBeLessThanOrEqual(at(high!))
      }),
      { numRuns: 300 },
    )
  })

  it('shrinks with batched tokens, sequences and a wider cache', () => {
    fc.assert(
      fc.property(input, (query) => {
        const base = tokensOf(query)
        const more = { ...query.settings, maxNumBatchedTokens: query.settings.maxNumBatchedTokens * 2 }
        expect(tokensOf({ ...query, settings: more })).toBeLessThanOrEqual(base)
        const seqs = { ...query.settings, maxNumSeqs: query.settings.maxNumSeqs * 4 }
        expect(tokensOf({ ...query, settings: seqs })).toBeLessThanOrEqual(base)
        expect(tokensOf({ ...query, kvCacheDtype: 'bfloat16' })).toBeLessThanOrEqual(
          tokensOf({ ...query, kvCacheDtype: 'fp8' }),
        )
      }),
      { numRuns: 300 },
    )
  })

  it('needs fewer weights per GPU and no more cache per token as tp grows', () => {
    fc.assert(
      fc.property(input, (query) => {
        const tp = query.shape.tp * 2
        if (!divides(query.model, tp)) return
        const narrow = estimateKv(query)
        const wide = estimateKv({ ...query, shape: tensorShape(query.model, tp) })
        expect(wide.weightsBytes).toBeLessThan(narrow.weightsBytes)
        expect(wide.growingBytesPerToken).toBeLessThanOrEqual(narrow.growingBytesPerToken)
      }),
      { numRuns: 300 },
    )
  })

  it('holds a sequence exactly when the rule says it fits', () => {
    fc.assert(
      fc.property(input, fc.integer({ min: 1, max: 300_000 }), (query, maxSequenceTokens) => {
        const { compat: _compat, ...plain } = query
        const found = estimateKv({ ...plain, maxSequenceTokens })
        const verdict = createKvFitRule().check(plain.shape, {
          model: plain.model,
          hardware: plain.hardware,
          backend: plain.backend,
          role: 'agg',
          maxSequenceTokens,
          engineSettings: [plain.settings],
        })
        expect(verdict.ok).toBe((found.totalKvSizeTokens ?? 0) > maxSequenceTokens)
      }),
      { numRuns: 300 },
    )
  })
})

describe('poolCapacity', () => {
  it('is continuous and increasing in the budget', () => {
    fc.assert(
      fc.property(
        model,
        fc.integer({ min: 100, max: 300_000 }),
        fc.double({ min: 0.1, max: 9, noNaN: true }),
        (spec, length, times) => {
          const curve = kvCurve(spec, 1)
          const one = kvBytesOfSequence(curve, length, 8192)
          const at = (factor: number) => poolCapacity(curve, length, 8192, factor * one).tokens
          expect(at(times * 1.001)).toBeGreaterThan(at(times))
          const [below, above] = [at(3 * (1 - 1e-9)), at(3 * (1 + 1e-9))]
          expect(Math.abs(above / below - 1)).toBeLessThan(1e-6)
        },
      ),
    )
  })
})

describe('kvCurve', () => {
  const budget = fc.double({ min: 1, max: 200, noNaN: true }).map((gib) => gib * 2 ** 30)

  it('is increasing and inverted by longestSequence', () => {
    fc.assert(
      fc.property(model, gpus, budget, fc.constantFrom(0, 8192), (spec, tp, bytes, admitted) => {
        const curve = kvCurve(spec, tp)
        const longest = longestSequence(curve, bytes, admitted)
        if (longest > 0) expect(kvBytesOfSequence(curve, longest, admitted)).toBeLessThanOrEqual(bytes)
        if (curve.growingBytesPerToken > 0)
          expect(kvBytesOfSequence(curve, longest + 1, admitted)).toBeGreaterThan(bytes)
        expect(kvBytesOfSequence(curve, 1000)).toBeLessThanOrEqual(kvBytesOfSequence(curve, 1001))
      }),
      { numRuns: 500 },
    )
  })

  it('never charges more for capped windows than for unified pages', () => {
    fc.assert(
      fc.property(model, fc.integer({ min: 1, max: 1_000_000 }), (spec, tokens) => {
        const capped = kvBytesOfSequence(kvCurve(spec, 1, { windowPages: 'capped' }), tokens)
        expect(capped).toBeLessThanOrEqual(kvBytesOfSequence(kvCurve(spec, 1, { windowPages: 'unified' }), tokens))
      }),
    )
  })
})
