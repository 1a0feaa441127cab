import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseConfigText } from '@spica/schema'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { afterSweep } from '../../src/commands/after-sweep.js'
import { buildReportData } from '../../src/report/build-report-data.js'
import { readStudy } from '../../src/report/read-study.js'
import { runSweep } from '../../src/study/run-sweep.js'

const CONFIG = `
search_space:
  model_name: Qwen/Qwen3-8B
  hardware_sku: h200_sxm
  gpu_budget: 4
  deployment_mode: [agg, disagg]
  router_mode: [round_robin]
  planner_scaling_policy: [disabled]
workload: {isl: 256, osl: 32, concurrency: 16, num_request_ratio: 2}
goal: {target: pareto}
sweep: {max_rounds: 2, parallel_evals: 3}
`
let folder: string
const notes: string[] = []

beforeAll(async () => {
  folder = join(mkdtempSync(join(tmpdir(), 'spica-swept-')), 'out')
  const parsed = parseConfigText(CONFIG)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues))
  const result = await runSweep(parsed.config, { out: folder, workers: 1 })
  await afterSweep(folder, result, (note) => notes.push(note))
})
afterAll(() => rmSync(join(folder, '..'), { recursive: true, force: true }))

describe('the report of a real sweep', () => {
  it('is written, and its path told', () => {
    expect(notes).toContain(`report: ${join(folder, 'report.html')}`)
    expect(readFileSync(join(folder, 'report.html'), 'utf8')).toContain('Qwen/Qwen3-8B')
  })

  it('finds in the ledger what every page shows', () => {
    const study = readStudy(folder)
    const data = buildReportData({ ...study, manifestOf: () => null, overlay: null, version: '0' })
    expect(data.candidates.length).toBeGreaterThan(0)
    for (const { trial } of data.candidates) {
      const detail = data.details.get(trial)
      expect(detail?.bottleneck).toBeDefined()
      expect(detail?.percentiles?.map(({ label }) => label)).toContain('Time to first token')
      expect(Object.keys(detail?.timeline ?? {})).toContain('decode')
    }
    expect(data.provenance.perfModel).toBe('roofline')
    const shares = data.provenance.sources?.map(({ share }) => share) ?? []
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 3)
    expect(data.measures.map(({ name }) => name)).toEqual(expect.arrayContaining(['mean_ttft_ms', 'p99_itl_ms']))
  })
})
