import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildReportData } from '../../src/report/build-report-data.js'
import { renderReport } from '../../src/report/render-report.js'
import type { Overlay, ReportData } from '../../src/report/report-data.js'
import { type SyntheticOptions, syntheticStudy } from './synthetic-study.js'

/** Reports written to a temporary folder. */
export interface ReportFiles {
  /** Writes a report of a made-up study and returns its address and data. */
  write(name: string, options: SyntheticOptions, patch?: Partial<ReportData>): { url: string; data: ReportData }
  dispose(): void
}

export const OVERLAY: Overlay = {
  label: 'lab.csv',
  points: [
    { label: 'lab TP8', values: { throughput_per_gpu: 1400, throughput_per_user: 60 } },
    { label: 'lab one axis', values: { throughput_per_gpu: 700 } },
  ],
}

export function reportFiles(): ReportFiles {
  const folder = mkdtempSync(join(tmpdir(), 'spica-pages-'))
  return {
    write(name, options, patch = {}) {
      const manifestOf = (candidate: number) => [
        { name: `candidate-${candidate}/deployment.yaml`, text: `kind: DynamoGraphDeployment\nnumber: ${candidate}\n` },
      ]
      const built = buildReportData({ ...syntheticStudy(options), manifestOf, overlay: null, version: '0.1.0' })
      const data = { ...built, ...patch }
      const path = join(folder, `${name}.html`)
      writeFileSync(path, renderReport(data))
      return { url: pathToFileURL(path).href, data }
    },
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  }
}
