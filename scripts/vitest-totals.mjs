// Totals of vitest JSON reports.
import { existsSync, readFileSync } from 'node:fs'

/** Passed, failed and skipped tests of the reports that exist; a file that failed to load counts as one failure. */
export function vitestTotals(paths) {
  const totals = { passed: 0, failed: 0, skipped: 0 }
  for (const path of paths) {
    if (!existsSync(path)) continue
    const report = JSON.parse(readFileSync(path, 'utf8'))
    totals.passed += report.numPassedTests
    totals.failed += report.numFailedTests
    totals.skipped += report.numPendingTests + report.numTodoTests
    for (const file of report.testResults) {
      if (file.status === 'failed' && file.assertionResults.every((test) => test.status !== 'failed')) totals.failed++
    }
  }
  return totals
}
