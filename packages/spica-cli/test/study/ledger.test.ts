import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { openLedger, parseLedger } from '../../src/study/ledger.js'
import type { TrialRecord } from '../../src/study/trial-record.js'
import { workspace } from '../support/run-spica.js'

const record = (id: number): TrialRecord => ({
  id,
  branch: 'agg',
  round: 1,
  suggestion: id,
  selection: { backend: 'vllm', ratio: 0.5 },
  projection: null,
  key: `key-${id}`,
  config: { model_name: 'a\nb "é"' },
  used_gpus: 1,
  status: 'failed',
  repeats: null,
  reason: { code: 'x', message: 'y' },
  metrics: null,
  notes: null,
  objectives: null,
  score: null,
  timings: null,
  worker: null,
})

describe('the ledger', () => {
  it('gives back what was appended, and survives a cut anywhere', () => {
    const at = workspace()
    const path = at.path('trials.jsonl')
    const ledger = openLedger(path, { fresh: true })
    for (const id of [0, 1, 2]) ledger.append(record(id))
    ledger.close()
    const bytes = readFileSync(path)
    for (let length = 0; length <= bytes.length; length += length % 7 === 0 ? 1 : 6) {
      writeFileSync(path, bytes.subarray(0, length))
      const cut = openLedger(path, { fresh: false })
      const whole = bytes.subarray(0, length).filter((byte) => byte === 0x0a).length
      expect(cut.found.map(({ id }) => id)).toEqual([0, 1, 2].slice(0, whole))
      cut.append(record(9))
      cut.close()
      const again = parseLedger(path, readFileSync(path))
      expect(again.records.map(({ id }) => id)).toEqual([...[0, 1, 2].slice(0, whole), 9])
    }
    at.remove()
  })

  it('names the line that is no trial, unless it is the last', () => {
    const line = JSON.stringify(record(0))
    const parse = (text: string) => parseLedger('t', Buffer.from(text))
    expect(parse(`${line}\nnonsense\n`).records).toHaveLength(1)
    expect(() => parse(`${line}\nnonsense\n${line}\n`)).toThrow('t:2')
    expect(() => parse(`{"id":1}\n${line}\n`)).toThrow('t:1')
  })
})
