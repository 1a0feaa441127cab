import { exportAfterSweep } from '../export/write-exports.js'
import { writeReport } from '../report/write-report.js'
import type { SweepResult } from '../study/sweep-result.js'

/** Something to write into a sweep's folder once its results are saved; returns the path to tell the user, if any. */
export type SweepFollowUp = (folder: string, result: SweepResult) => string | null | Promise<string | null>

/** Run in this order after every sweep. */
export const SWEEP_FOLLOW_UPS: readonly { readonly name: string; readonly run: SweepFollowUp }[] = [
  {
    name: 'export',
    run: (folder, result) => {
      exportAfterSweep(folder, result.candidates, result.kind)
      return null
    },
  },
  { name: 'report', run: (folder) => writeReport(folder).path },
]

/** Runs the follow-ups. One that fails costs only itself: the sweep's results are saved already. */
export async function afterSweep(folder: string, result: SweepResult, note: (message: string) => void): Promise<void> {
  for (const { name, run } of SWEEP_FOLLOW_UPS) {
    try {
      const path = await run(folder, result)
      if (path !== null) note(`${name}: ${path}`)
    } catch (error) {
      note(`the ${name} could not be written: ${(error as Error).message}`)
    }
  }
}
