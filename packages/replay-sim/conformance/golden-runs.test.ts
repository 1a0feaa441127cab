import { describe, expect, it } from 'vitest'
import { hasGolden, readGoldenJson, readGoldenText } from '../../../conformance/golden.js'
import type { RequestRow } from '../src/index.js'
import { reportDifferences, rowDifferences } from './compare-report.js'
import { flagsOf, type GoldenCommand, goldenNames, runGolden } from './golden-command.js'

/** The peer gives up on these; we reject what can not be served and finish. */
const ABORTED = new Set([27, 39, 40, 56, 102])
/** Router ties change only which worker is which. */
const RANDOM_LABELS = new Set([20, 33, 46, 80, 82, 84, 85, 86, 87, 88, 100])
/** Router ties change the figures: one of a few outcomes, or means within 5 %. */
const RANDOM_OUTCOME = new Set([68, 77])
const RANDOM_FIGURES = new Set([79, 81, 83, 91])
const MEANS = /^mean_|_rps$|_tok_s$|duration|reused_ratio|gpu_hours|seconds$/

const SEEDS = 40

describe.skipIf(!hasGolden)('golden replay runs', () => {
  for (const name of hasGolden ? goldenNames() : []) {
    const number = Number.parseInt(name, 10)
    it(name, () => {
      const command = readGoldenJson<GoldenCommand>(`replay/${name}/cmd.json`)
      if (ABORTED.has(number)) {
        const { report, rows } = runGolden(name)
        expect(report.num_requests).toBe(rows.length)
        if (number !== 102) expect(report.completed_requests).toBeLessThan(report.num_requests)
        return
      }
      const golden = readGoldenJson<Record<string, number>>(`replay/${name}/report.json`)
      const goldenRows = (): RequestRow[] =>
        readGoldenText(`replay/${name}/requests.jsonl`)
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line) as RequestRow)
      if (RANDOM_OUTCOME.has(number)) {
        const best = Array.from(
          { length: SEEDS },
          (_, seed) => reportDifferences(runGolden(name, { seed }).report, golden).length,
        )
        expect(Math.min(...best)).toBe(0)
        return
      }
      const { report, rows } = runGolden(name)
      if (RANDOM_FIGURES.has(number)) {
        const means = Object.fromEntries(Object.entries(golden).filter(([key]) => MEANS.test(key)))
        expect(reportDifferences(report, means, 0.05)).toEqual([])
        return
      }
      expect(reportDifferences(report, golden)).toEqual([])
      const isAgentic = flagsOf(command.argv).get('trace-format') === 'agentic_mooncake'
      if (flagsOf(command.argv).has('report-jsonl') && !isAgentic) {
        expect(rowDifferences(rows, goldenRows(), !RANDOM_LABELS.has(number))).toEqual([])
      }
    })
  }
})
