import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.js'
import type { ReplayOptions } from '../../src/index.js'
import { STATUS_COMPLETED, STATUS_REJECTED } from '../../src/report/recorder.js'
import { buildSimulation } from '../../src/runtime/build-simulation.js'
import type { Pool } from '../../src/runtime/pool.js'
import type { Simulation } from '../../src/runtime/simulation.js'
import { argsOf, compat, format, load, rows, sglangEngine, workloadOf } from './random-runs.js'

/** All engines of a simulation that ran. */
function enginesOf(simulation: Simulation): Engine[] {
  const { pools } = (simulation as unknown as { options: { pools: readonly Pool[] } }).options
  return pools.flatMap((pool) => pool.workers.flatMap((worker) => [...worker.engines]))
}

it('every request ends, tokens out are tokens asked, time moves on, and all pages come back', () => {
  fc.assert(
    fc.property(rows, format, sglangEngine, load, compat, fc.boolean(), (r, f, engine, mode, quirks, disaggregated) => {
      const args = argsOf(engine)
      const workload = workloadOf(r, f)
      const options: ReplayOptions = {
        workload,
        load: mode,
        ...(disaggregated ? { prefill: args, decode: args } : { engine: args }),
        ...(quirks === undefined ? {} : { compat: quirks }),
      }
      const { simulation, recorder } = buildSimulation(options)
      simulation.run()
      for (let request = 0; request < workload.count; request++) {
        const status = recorder.status[request]
        expect([STATUS_COMPLETED, STATUS_REJECTED]).toContain(status)
        expect(recorder.terminalMs[request]!).toBeGreaterThanOrEqual(recorder.arrivalMs[request]!)
        if (status === STATUS_COMPLETED) expect(recorder.producedTokens[request]).toBe(workload.outputTokens[request])
        if (recorder.producedTokens[request]! > 1) {
          expect(recorder.secondTokenMs[request]!).toBeGreaterThan(recorder.firstTokenMs[request]!)
          expect(recorder.lastTokenMs[request]!).toBeGreaterThanOrEqual(recorder.secondTokenMs[request]!)
        }
      }
      for (const rank of enginesOf(simulation)) {
        expect(rank.activeBlocks).toBe(0)
        expect(rank.hasWork()).toBe(false)
      }
    }),
    { numRuns: Number(process.env['SPICA_PROPERTY_RUNS'] ?? 150) },
  )
})
