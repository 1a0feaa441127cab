import type { Planner, PlannerDecision, PlannerSnapshot } from '@spica/schema'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ReplayOptions } from '../../src/index.js'
import { outcomeOf, randomCase } from './random-case.js'

/** Asks for the counts it was given, in turn. */
class CyclingPlanner implements Planner {
  readonly wantsAllPasses: boolean
  readonly seen: PlannerSnapshot[] = []
  private readonly targets: readonly number[]
  private readonly spacingMs: number

  constructor(targets: readonly number[], spacingMs: number, wantsAllPasses: boolean) {
    this.targets = targets
    this.spacingMs = spacingMs
    this.wantsAllPasses = wantsAllPasses
  }

  initialTickMs(): number {
    return this.spacingMs
  }

  onTick(snapshot: PlannerSnapshot): PlannerDecision {
    const tick = this.seen.length
    this.seen.push(structuredClone(snapshot))
    return {
      targetPrefill: this.targets[tick % this.targets.length]!,
      targetDecode: this.targets[(tick + 1) % this.targets.length]!,
      nextTickMs: snapshot.now_ms + this.spacingMs,
    }
  }
}

/** What happened, or the code of the refusal when the planner leaves requests without any worker. */
function run(options: ReplayOptions, planner: CyclingPlanner): unknown {
  try {
    return { ...outcomeOf({ ...options, planner }), seen: planner.seen }
  } catch (error) {
    expect(error).toMatchObject({ kind: 'input', code: 'no-workers-left' })
    return 'no-workers-left'
  }
}

it('planners see the same, and do the same, on either engine', () => {
  fc.assert(
    fc.property(
      randomCase(['vllm', 'vllm', 'trtllm']),
      fc.array(
        fc.oneof({ weight: 15, arbitrary: fc.integer({ min: 1, max: 4 }) }, { weight: 1, arbitrary: fc.constant(0) }),
        { minLength: 1, maxLength: 5 },
      ),
      fc.constantFrom(60, 400, 1500),
      fc.boolean(),
      fc.constantFrom(0, 0.05, 1),
      (options, targets, spacingMs, wantsAllPasses, startup_time) => {
        const starting = {
          ...options,
          ...(options.engine === undefined ? {} : { engine: { ...options.engine, startup_time } }),
          ...(options.prefill === undefined ? {} : { prefill: { ...options.prefill, startup_time } }),
          ...(options.decode === undefined ? {} : { decode: { ...options.decode, startup_time } }),
        }
        const slow = new CyclingPlanner(targets, spacingMs, wantsAllPasses)
        const fast = new CyclingPlanner(targets, spacingMs, wantsAllPasses)
        const expected = run({ ...starting, engineKind: 'pass-by-pass' }, slow)
        expect(run(starting, fast)).toEqual(expected)
      },
    ),
    { numRuns: Number(process.env['SPICA_RUNS'] ?? 30) },
  )
}, 600_000)
