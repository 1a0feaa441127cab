import type { PlannerSnapshot } from '@spica/schema'
import { describe, expect, it } from 'vitest'
import { hasGolden, readGoldenJson } from '../../../conformance/golden.js'
import { reportDifferences } from './compare-report.js'
import { goldenTicks, plannerNames, runPlanner } from './planner-command.js'

/** Where snapshots differ, numbers compared to 1e-8. */
function differences(ours: unknown, golden: unknown, path: string, into: string[]): void {
  if (typeof golden === 'number' && typeof ours === 'number') {
    if (Math.abs(ours - golden) > 1e-8 * Math.max(1, Math.abs(golden)))
      into.push(`${path}: ${ours} instead of ${golden}`)
  } else if (golden !== null && typeof golden === 'object' && ours !== null && typeof ours === 'object') {
    for (const key of new Set([...Object.keys(golden), ...Object.keys(ours)])) {
      differences(
        (ours as Record<string, unknown>)[key],
        (golden as Record<string, unknown>)[key],
        `${path}.${key}`,
        into,
      )
    }
  } else if (ours !== golden) into.push(`${path}: ${JSON.stringify(ours)} instead of ${JSON.stringify(golden)}`)
}

function snapshotDifferences(ours: readonly PlannerSnapshot[], golden: readonly PlannerSnapshot[]): string[] {
  const result: string[] = []
  if (ours.length !== golden.length) result.push(`${ours.length} ticks instead of ${golden.length}`)
  for (let k = 0; k < Math.min(ours.length, golden.length); k++) differences(ours[k], golden[k], `tick ${k}`, result)
  return result
}

/** Runs whose router breaks ties at random. */
const RANDOM = new Set([204])

describe.skipIf(!hasGolden)('golden planner runs', () => {
  for (const name of hasGolden ? plannerNames() : []) {
    it(name, () => {
      const golden = readGoldenJson<Record<string, number>>(`replay/${name}/report.json`)
      const ticks = goldenTicks(name)
      const { report, planner } = runPlanner(name, 0)
      if (RANDOM.has(Number.parseInt(name, 10))) {
        expect(planner.seen.length).toBe(ticks.length)
        expect(report.completed_requests).toBe(golden['completed_requests'])
        return
      }
      expect(
        snapshotDifferences(
          planner.seen,
          ticks.map((tick) => tick.in),
        ),
      ).toEqual([])
      expect(reportDifferences(report, golden)).toEqual([])
    })
  }
})
