import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { writeReport } from '../../src/report/write-report.js'
import { writeStudyFile } from '../../src/study/study-file.js'
import { syntheticStudy } from './synthetic-study.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'spica-report-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function saveStudy(into: string, trials = 40): void {
  const made = syntheticStudy({ trials })
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

  it('shows exported manifests, and follows no link out of the folder', () => {
    saveStudy(folder)
    mkdirSync(join(folder, 'export', 'candidate-1'), { recursive: true })
    mkdirSync(join(folder, 'export', 'candidate-12'), { recursive: true })
    writeFileSync(join(folder, 'export', 'candidate-1', 'deployment.yaml'), 'kind: One\n')
    writeFileSync(join(folder, 'export', 'candidate-1', 'deployment-v1alpha1.yaml'), 'kind: Old\n')
    writeFileSync(join(folder, 'secret.txt'), 'kind: Secret\n')
    symlinkSync(join(folder, 'secret.txt'), join(folder, 'export', 'candidate-1', 'linked.yaml'))
    const { data } = writeReport(folder)
    const best = data.details.get(data.candidates[0]?.trial as number)
    expect(best?.manifest).toEqual([{ name: 'candidate-1/deployment.yaml', text: 'kind: One\n' }])
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

  it('refuses folders without a study and overlays that cannot be read', () => {
    expect(() => writeReport(folder)).toThrow(expect.objectContaining({ kind: 'input', code: 'no-study' }))
    saveStudy(folder)
    const missing = { overlay: join(folder, 'absent.csv') }
    expect(() => writeReport(folder, missing)).toThrow(expect.objectContaining({ code: 'unreadable-file' }))
  })
})
