import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { EngineArgs, PlannerSnapshot } from '@spica/schema'
import { describe, expect, it } from 'vitest'
import { goldenFolder, hasGolden, readGoldenJson, readGoldenText } from '../../../conformance/golden.js'
import { capabilitiesOf, createPlanner } from '../src/index.js'

interface Command {
  readonly config: {
    readonly extra?: EngineArgs
    readonly p?: EngineArgs
    readonly d?: EngineArgs
    readonly pc: Record<string, unknown>
  }
}
interface Tick {
  readonly in: PlannerSnapshot
  readonly out: {
    readonly target_prefill: number | null
    readonly target_decode: number | null
    readonly next_tick_ms: number
  }
}
type GoldenDiagnostics = Readonly<Record<string, unknown>>

const runs = hasGolden
  ? readdirSync(join(goldenFolder, 'replay')).filter((name) =>
      existsSync(join(goldenFolder, 'replay', name, 'ticks.jsonl')),
    )
  : []

/** Our name of each diagnostic number of the golden runs. */
const NUMBERS = {
  estimated_ttft_ms: 'estimatedTtftMs',
  estimated_itl_ms: 'estimatedItlMs',
  predicted_num_req: 'predictedRequests',
  predicted_isl: 'predictedIsl',
  predicted_osl: 'predictedOsl',
  engine_rps_decode: 'engineRpsDecode',
  engine_rps_prefill: 'engineRpsPrefill',
} as const

describe.skipIf(!hasGolden)('planner decisions of the golden replays', () => {
  for (const run of runs) {
    it(run, () => {
      const { config } = readGoldenJson<Command>(`replay/${run}/cmd.json`)
      const ticks = readGoldenText(`replay/${run}/ticks.jsonl`)
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Tick)
      const golden = readGoldenJson<{ diagnostics: GoldenDiagnostics[] }>(`replay/${run}/planner.json`).diagnostics
      const decode = capabilitiesOf(config.d ?? config.extra ?? {}, { compat: true })
      const planner = createPlanner({
        config: config.pc,
        decode,
        ...(config.p === undefined ? {} : { prefill: capabilitiesOf(config.p, { compat: true }) }),
        compat: true,
      })
      expect(ticks.length).toBeGreaterThan(0)
      expect(planner.initialTickMs()).toBe(ticks[0].in.now_ms)
      const agg = config.pc['mode'] === 'agg'
      ticks.forEach((tick, i) => {
        const decision = planner.onTick(tick.in)
        const label = `tick ${i} at ${tick.in.now_ms}`
        expect(decision.targetDecode, label).toBe(tick.out.target_decode)
        if (!agg) expect(decision.targetPrefill, label).toBe(tick.out.target_prefill)
        expect(decision.nextTickMs, label).toBe(tick.out.next_tick_ms)
        const ours = planner.diagnostics[i]
        const theirs = golden[i]
        if (theirs === undefined) return
        expect(ours.loadReason, label).toBe(theirs['load_decision_reason'])
        if ('load_decision_reason_prefill' in theirs) {
          expect(ours.loadReasonPrefill, label).toBe(theirs['load_decision_reason_prefill'])
          expect(ours.loadReasonDecode, label).toBe(theirs['load_decision_reason_decode'])
        }
        if ('throughput_decision_reason' in theirs) {
          expect(ours.throughputReason, label).toBe(theirs['throughput_decision_reason'])
        }
        for (const [key, name] of Object.entries(NUMBERS)) {
          const value = theirs[key]
          if (typeof value !== 'number') continue
          const mine = ours[name as (typeof NUMBERS)[keyof typeof NUMBERS]]
          expect(mine, `${label} ${key}`).toBeDefined()
          expect(Math.abs((mine ?? Number.NaN) - value) / Math.max(1, Math.abs(value)), `${label} ${key}`).toBeLessThan(
            1e-8,
          )
        }
      })
    })
  }
})
