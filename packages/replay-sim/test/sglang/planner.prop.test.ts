import { type Planner, type PlannerDecision, type PlannerSnapshot, SpicaError } from '@spica/schema'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type ReplayOptions, type RequestRow, replay } from '../../src/index.js'
import { argsOf, format, load, rows, sglangEngine, workloadOf } from './random-runs.js'

/** Asks for the counts it was given, in turn, and keeps what it saw. */
function cyclingPlanner(
  targets: readonly number[],
  spacingMs: number,
  wantsAllPasses: boolean,
  seen: PlannerSnapshot[],
): Planner {
  return {
    wantsAllPasses,
    initialTickMs: () => spacingMs,
    onTick(snapshot: PlannerSnapshot): PlannerDecision {
      const tick = seen.length
      seen.push(structuredClone(snapshot))
      const targetDecode = targets[tick % targets.length]!
      return { targetPrefill: targetDecode, targetDecode, nextTickMs: snapshot.now_ms + spacingMs }
    },
  }
}

function run(options: ReplayOptions, planner: (seen: PlannerSnapshot[]) => Planner): unknown {
  const seen: PlannerSnapshot[] = []
  const requests: RequestRow[] = []
  try {
    const report = replay({ ...options, planner: planner(seen), onRequest: (row) => requests.push(row) })
    return { report, requests, seen }
  } catch (error) {
    expect(error).toBeInstanceOf(SpicaError)
    return (error as SpicaError).code
  }
}

it('planners see the same, and do the same, on either SGLang engine', () => {
  const targets = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(
      rows,
      format,
      sglangEngine,
      load,
      targets,
      fc.constantFrom(15, 70, 300),
      fc.boolean(),
      fc.boolean(),
      (r, f, engine, mode, counts, spacingMs, wantsAllPasses, disaggregated) => {
        const args = { ...argsOf(engine), startup_time: 0.05 }
        const options: ReplayOptions = {
          workload: workloadOf(r, f),
          load: mode,
          ...(disaggregated ? { prefill: args, decode: args } : { engine: args }),
        }
        const planner = (seen: PlannerSnapshot[]): Planner => cyclingPlanner(counts, spacingMs, wantsAllPasses, seen)
        expect(run(options, planner)).toEqual(run({ ...options, engineKind: 'pass-by-pass' }, planner))
      },
    ),
    { numRuns: Number(process.env['SPICA_PROPERTY_RUNS'] ?? 100) },
  )
})
