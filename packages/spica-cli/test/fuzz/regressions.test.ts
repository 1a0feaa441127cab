import { afterEach, expect, it } from 'vitest'
import { parseLedger } from '../../src/study/ledger.js'
import { smallSweep, type Workspace, workspace } from '../support/run-spica.js'

let at: Workspace | null = null
afterEach(() => at?.remove())

it('converts delays too large to hold nanoseconds (seed 2000, trace case 22)', async () => {
  at = workspace({
    'trace.jsonl':
      '{"timestamp":0,"input_length":100,"output_length":2,"hash_ids":[0],"delay":1e+308}\n' +
      '{"timestamp":10,"input_length":101,"output_length":2,"hash_ids":[1]}\n',
  })
  expect((await at.spica('trace', 'convert', '{}/trace.jsonl', '--out', '{}/out.jsonl')).code).toBe(0)
  expect(at.read('out.jsonl')).toMatch(/"delay": 1e\+308/)
  expect((await at.spica('trace', 'check', '{}/out.jsonl')).code).toBe(0)
})

it('refuses a last line that is whole JSON but no trial, and leaves the file alone (seed 2000, ledger case 49)', async () => {
  at = workspace({ 'sweep.yaml': smallSweep({ sweep: '' }).replace('max_rounds: 3', 'max_rounds: 1') })
  expect(
    (await at.spica('sweep', '--config', '{}/sweep.yaml', '--out', '{}/out', '--workers', '1', '--quiet')).code,
  ).toBe(0)
  const sound = Buffer.from(at.read('out/trials.jsonl'))
  const { records } = parseLedger('trials.jsonl', sound)
  const lines = sound.toString().trimEnd().split('\n')
  lines[lines.length - 1] = JSON.stringify({ ...records.at(-1), score: 'high' })
  const damaged = Buffer.from(lines.map((line) => line + '\n').join(''))

  expect(() => parseLedger('trials.jsonl', damaged)).toThrow(
    `trials.jsonl:${lines.length}: this line is not a finished trial`,
  )
  expect(parseLedger('trials.jsonl', sound.subarray(0, -7)).records).toEqual(records.slice(0, -1))
  expect(parseLedger('trials.jsonl', Buffer.concat([sound, Buffer.from('\0\0\0\n')])).records).toEqual(records)
})

it('refuses to forecast over more windows than can be tried (seed 300000, trace case 246)', async () => {
  at = workspace({
    'trace.jsonl':
      '{"timestamp":0,"input_length":600,"output_length":3}\n{"timestamp":4294967296,"input_length":607,"output_length":10}\n',
  })
  const ran = await at.spica('forecast', '{}/trace.jsonl', '--interval', '60')
  expect(ran.code).toBe(2)
  expect(ran.stderr).toMatch(/spans 71583 windows of 60 s/)
})

it('refuses more ranks than can be simulated, from a flag, an engine argument or a job (seeds 300000 and 500000, job cases 508 and 790)', async () => {
  at = workspace()
  const load = ['--input-tokens', '8', '--output-tokens', '2', '--request-count', '2', '--replay-concurrency', '1']
  const ran = await at.spica('replay', ...load, '--extra-engine-args', '{"dp_size":1000000000}')
  expect(ran.code).toBe(2)
  expect(ran.stderr).toMatch(/1 workers of 1000000000 ranks are more than 65536 ranks/)
  const named = await at.spica('replay', ...load, '--extra-engine-args', '{"aic_attention_dp_size":2147483648}')
  expect(named).toMatchObject({ code: 2, stderr: expect.stringMatching(/1 workers of 2147483648 ranks/) })
  const workers = await at.spica('replay', ...load, '--num-workers', '60000', '--extra-engine-args', '{"dp_size":2}')
  expect(workers.stderr).toMatch(/60000 workers of 2 ranks/)
})
