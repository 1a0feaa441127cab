import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SpicaError } from '@spica/schema'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeReport } from '../../src/report/write-report.js'
import { writeStudyFile } from '../../src/study/study-file.js'
import { syntheticStudy } from './synthetic-study.js'

const { study, trials } = syntheticStudy({ trials: 12 })
let folder: string
let ledger: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'spica-broken-'))
  ledger = join(folder, 'trials.jsonl')
  writeStudyFile(folder, study)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const text = trials.map((trial) => JSON.stringify(trial) + '\n').join('')

/** Writes the report of a ledger; refusals must be mistakes of the user that name the file. */
function report(content: string): 'written' | SpicaError {
  writeFileSync(ledger, content)
  try {
    writeReport(folder)
    return 'written'
  } catch (error) {
    if (error instanceof SpicaError) return error
    throw error
  }
}

describe('reports of broken ledgers', () => {
  it('leave a torn last line out', () => {
    expect(report(text + '{"id":99,"bran')).toBe('written')
    expect(readFileSync(join(folder, 'report.html'), 'utf8')).not.toContain('"id":99')
  })

  it('name the line that is no trial', () => {
    const lines = text.split('\n')
    lines[3] = '{}'
    expect(report(lines.join('\n'))).toMatchObject({ code: 'broken-ledger', location: { line: 4 } })
  })

  it('refuse feasible trials without their objectives', () => {
    const first = trials.find((trial) => trial.status === 'feasible')
    const edited = JSON.stringify({ ...first, objectives: { throughput: 1 } }) + '\n'
    expect(report(edited)).toMatchObject({ kind: 'input', code: 'broken-ledger' })
  })

  it('are written or refused for any change of values, never anything else', () => {
    const values = fc.constantFrom<unknown>(null, '', 'x', '<b>', -1, 0, 1e308, true, [], {}, [null], { timeMs: [1] })
    const keys = ['config', 'metrics', 'notes', 'objectives', 'score', 'used_gpus', 'reason', 'selection', 'projection']
    const deeper = [
      'tp',
      'replicas',
      'strategy',
      'deployment_mode',
      'backend',
      'timeline',
      'scaling_events',
      'pass_time',
    ]
    const change = fc.record({
      row: fc.nat(trials.length - 1),
      path: fc.oneof(
        fc.constantFrom(...keys).map((key) => [key]),
        fc.tuple(fc.constantFrom('config', 'notes'), fc.constantFrom(...deeper)),
      ),
      value: values,
    })
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
        const rows = structuredClone(trials) as unknown as Record<string, Record<string, unknown> | unknown>[]
        for (const { row, path, value } of changes) {
          const [outer = '', inner] = path
          const record = rows[row] as Record<string, unknown>
          const target = inner === undefined ? record : record[outer]
          if (target !== null && typeof target === 'object') (target as Record<string, unknown>)[inner ?? outer] = value
        }
        const outcome = report(rows.map((row) => JSON.stringify(row) + '\n').join(''))
        if (outcome !== 'written') expect(outcome.kind).toBe('input')
      }),
      { numRuns: 60 },
    )
  })
})
