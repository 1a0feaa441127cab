import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Manifest, ReportData } from '../../src/report/report-data.js'
import { writeReport } from '../../src/report/write-report.js'
import { writeStudyFile } from '../../src/study/study-file.js'
import { type SyntheticOptions, syntheticStudy } from './synthetic-study.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'spica-report-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function saveStudy(into: string, trials = 40, target: SyntheticOptions['target'] = 'pareto'): void {
  const made = syntheticStudy({ trials, target })
  mkdirSync(into, { recursive: true })
  writeStudyFile(into, made.study)
  writeFileSync(join(into, 'trials.jsonl'), made.trials.map((trial) => JSON.stringify(trial) + '\n').join(''))
}

describe('writeReport', () => {
  it('reads what a sweep saved and writes one file beside it', () => {
    saveStudy(folder)
    const { path, bytes, data } = writeReport(folder)
    const html = readFileSync(path, 'utf8')
    expect(path).toBe(join(folder, 'report.html'))
    expect(Buffer.byteLength(html)).toBe(bytes)
    expect(data.candidates.length).toBeGreaterThan(1)
    expect(html).toContain('zai-org/GLM-5-FP8')
  })

  it('is byte for byte the same when written again', () => {
    saveStudy(folder)
    const first = readFileSync(writeReport(folder).path, 'utf8')
    expect(readFileSync(writeReport(folder).path, 'utf8')).toBe(first)
  })

  it('writes manifests of candidates, and keeps an exported one that still describes its candidate', () => {
    saveStudy(folder)
    const manifest = (data: ReportData) => data.details.get(data.candidates[0]?.trial as number)?.manifest?.[0]
    const fresh = manifest(writeReport(folder).data) as Manifest
    expect(fresh.name).toBe('candidate-1/deployment.yaml')
    expect(fresh.text).toContain('kind: DynamoGraphDeployment')
    const target = join(folder, 'export', 'candidate-1')
    mkdirSync(target, { recursive: true })
    writeFileSync(join(target, 'deployment.yaml'), `# reviewed\n${fresh.text}`)
    expect(manifest(writeReport(folder).data)?.text).toMatch(/^# reviewed/)
    writeFileSync(join(target, 'deployment.yaml'), fresh.text.replace(/replicas: \d+/g, 'replicas: 77'))
    expect(manifest(writeReport(folder).data)?.text).toBe(fresh.text)
  })

  it('lays a CSV or another study over the plot', () => {
    saveStudy(folder)
    const csv = join(folder, 'lab.csv')
    writeFileSync(csv, 'name,throughput_per_gpu,throughput_per_user\na,100,50\n')
    expect(writeReport(folder, { overlay: csv }).data.overlay?.points).toHaveLength(1)
    const other = join(folder, 'other')
    saveStudy(other, 60)
    const overlay = writeReport(folder, { overlay: other }).data.overlay
    expect(overlay?.points.length).toBeGreaterThan(1)
    expect(overlay?.points[0]?.label).toBe('candidate 1')
  })

  it('works out what another goal did not ask for from its figures', () => {
    saveStudy(folder)
    const other = join(folder, 'other')
    saveStudy(other, 60, 'throughput_per_gpu')
    const points = writeReport(folder, { overlay: other }).data.overlay?.points ?? []
    expect(points).toHaveLength(10)
    for (const { values } of points) expect(values['throughput_per_user']).toBeGreaterThan(10)
    const third = join(folder, 'third')
    saveStudy(third, 60, 'e2e_latency')
    const empty = join(folder, 'empty')
    saveStudy(empty, 0)
    expect(() => writeReport(third, { overlay: empty })).toThrow(
      expect.objectContaining({ code: 'no-objective-column' }),
    )
  })

  it('refuses folders without a study and overlays that cannot be read', () => {
    expect(() => writeReport(folder)).toThrow(expect.objectContaining({ kind: 'input', code: 'no-study' }))
    saveStudy(folder)
    const missing = { overlay: join(folder, 'absent.csv') }
    expect(() => writeReport(folder, missing)).toThrow(expect.objectContaining({ code: 'unreadable-file' }))
  })
})
