import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Workspace, workspace } from '../support/run-spica.js'

const lines = (...rows: object[]) => rows.map((row) => JSON.stringify(row) + '\n').join('')
const row = (timestamp: number, input_length: number, hash_ids: number[]) => ({
  timestamp,
  input_length,
  output_length: 2,
  hash_ids,
})
const ENGINE = '{"num_gpu_blocks":400,"block_size":64}'

interface Checked {
  readonly rows: number
  readonly problems: readonly { line: number; code: string; message: string }[]
  readonly statistics: { span_ms: number; ideal_prefix_hit_rate: number | null }
}

describe('reported cases of traces', () => {
  let at: Workspace
  beforeAll(() => {
    at = workspace({
      'tr-02.jsonl': lines(row(0, 512, [0]), row(1, 513, [0, 1]), row(2, 511, [2]), row(3, 512, [0, 1])),
      'tr-03.jsonl': [1, '4294967297', '9007199254740993', '9007199254740992']
        .map((id, at) => `{"timestamp": ${at * 10}, "input_length": 512, "output_length": 4, "hash_ids": [${id}]}\n`)
        .join(''),
      'tr-04.jsonl': lines({ input_length: 600, output_length: 5, hash_ids: [0, 1] }, row(100, 500, [2])),
      'tr-06.jsonl': lines(row(0, 700, [0, 1]), row(1, 1024, [0, 1])),
      'tr-07.jsonl': lines(...Array.from({ length: 50 }, (_, index) => row(index * 1000, 64, [index]))),
      'tr-08.jsonl': lines({ created_time: 0, input_tokens: 600, output_tokens: 5, hash_ids: [0, 1] }),
      'tr-10.csv':
        'TIMESTAMP,ContextTokens,GeneratedTokens\r\n2023-11-16 18:15:46.6805900,374,44\r\n' +
        '2023-11-16 18:15:50.9951690,396,109\r\n2023-11-16 18:15:51.2224670,879,55\r\n',
      'tr-11.jsonl': lines(
        { timestamp: 0, input_length: 126195, output_length: 20 },
        { timestamp: 5, input_length: 900, output_length: 4 },
      ),
      'tr-12.jsonl': lines(
        { request_id: 'r1', timestamp: 0, input_length: 100, output_length: 2 },
        { request_id: 'r2', input_length: 100, output_length: 2, wait_for: ['r1'], delay: 5000 },
      ),
      'tr-12-cycle.jsonl': lines(
        { request_id: 'r1', timestamp: 0, input_length: 100, output_length: 2 },
        { request_id: 'r3', input_length: 100, output_length: 2, wait_for: ['r4'] },
        { request_id: 'r4', input_length: 100, output_length: 2, wait_for: ['r3'] },
      ),
    })
  })
  afterAll(() => at.remove())

  const check = async (file: string): Promise<Checked> =>
    JSON.parse((await at.spica('trace', 'check', `{}/${file}`, '--json')).stdout) as Checked
  const replay = (...args: string[]) => at.spica('replay', '--extra-engine-args', ENGINE, '--json', ...args)

  it('TR-02: 512 tokens take one id and 513 two; one id too many is named', async () => {
    const { problems } = await check('tr-02.jsonl')
    expect(problems.filter(({ code }) => code === 'extra-hash-ids').map(({ line }) => line)).toEqual([4])
  })

  it('TR-03: ids above 2^32 and 2^53 stay apart', async () => {
    expect((await check('tr-03.jsonl')).statistics.ideal_prefix_hit_rate).toBe(0)
    expect(JSON.parse((await replay('{}/tr-03.jsonl')).stdout)).toMatchObject({
      completed_requests: 4,
      prefix_cache_reused_ratio: 0,
    })
  })

  it('TR-04: a missing timestamp is an error of its line in open loop, and fine at fixed concurrency', async () => {
    const open = await replay('{}/tr-04.jsonl')
    expect(open.code).toBe(2)
    expect(open.stderr).toMatch(/tr-04\.jsonl:1 missing-timestamp.*--replay-concurrency/)
    expect((await replay('{}/tr-04.jsonl', '--replay-concurrency', '2')).code).toBe(0)
  })

  it('TR-06: an id of two lengths is named with both lines', async () => {
    const { problems } = await check('tr-06.jsonl')
    expect(problems).toContainEqual(
      expect.objectContaining({
        line: 2,
        code: 'hash-length-conflict',
        message: expect.stringMatching(/512.*188 on line 1/),
      }),
    )
  })

  it('TR-07: every row runs, and rows and span are told', async () => {
    expect(await check('tr-07.jsonl')).toMatchObject({ rows: 50, statistics: { span_ms: 49_000 } })
    expect(JSON.parse((await replay('{}/tr-07.jsonl')).stdout)).toMatchObject({ num_requests: 50 })
  })

  it('TR-08: other names of columns are read, and named', async () => {
    const { problems, rows } = await check('tr-08.jsonl')
    expect(rows).toBe(1)
    expect(problems.map(({ message }) => message).join()).toMatch(/created_time.*input_tokens.*output_tokens/s)
  })

  it('TR-10: Azure times keep seven digits; without ids the hit rate is unknown', async () => {
    expect((await check('tr-10.csv')).statistics.ideal_prefix_hit_rate).toBeNull()
    await at.spica('trace', 'convert', '{}/tr-10.csv', '--out', '{}/tr-10.jsonl')
    const times = at
      .read('tr-10.jsonl')
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { timestamp: number }).timestamp)
    expect(times).toEqual([0, 4314.579, 4541.877])
  })

  it('TR-11: a request longer than the model is turned away, counted, and the rest runs', async () => {
    const engine = '{"num_gpu_blocks":4000,"block_size":64,"max_model_len":8192}'
    const ran = await at.spica(
      'replay',
      '{}/tr-11.jsonl',
      '--extra-engine-args',
      engine,
      '--json',
      '--report-jsonl',
      '{}/rows.jsonl',
    )
    expect(JSON.parse(ran.stdout)).toMatchObject({ num_requests: 2, completed_requests: 1 })
    expect(at.read('rows.jsonl')).toMatch(/"input_length":126195.*"terminal_status":"(?!completed)/)
  })

  it('TR-12: the time cap holds for agentic traces, and a cycle is named', async () => {
    const capped = await replay('{}/tr-12.jsonl', '--trace-format', 'agentic_mooncake', '--max-sim-time-seconds', '1')
    expect(JSON.parse(capped.stdout)).toMatchObject({ completed_requests: 1 })
    const { problems } = await check('tr-12-cycle.jsonl')
    expect(problems).toContainEqual(
      expect.objectContaining({
        code: 'dependency-cycle',
        message: expect.stringMatching(/r3.*waits for r4.*waits for r3/),
      }),
    )
  })

  it('SIM-02: a converted trace replays exactly as its source', async () => {
    await at.spica('trace', 'convert', '{}/tr-02.jsonl', '--out', '{}/again.jsonl')
    const figures = async (file: string) => {
      const report = JSON.parse((await replay(file)).stdout) as Record<string, number>
      // Figures of the simulator's own speed follow the wall clock.
      for (const name of Object.keys(report)) if (/^wall_time|^processed_.*per_s/.test(name)) delete report[name]
      return report
    }
    expect(await figures('{}/again.jsonl')).toEqual(await figures('{}/tr-02.jsonl'))
  })
})
