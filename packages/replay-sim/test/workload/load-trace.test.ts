import { describe, expect, it } from 'vitest'
import { type LoadTraceOptions, loadTrace } from '../../src/workload/load-trace.js'
import { SpicaTraceError } from '../../src/workload/trace/trace-problem.js'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const jsonl = (...rows: object[]): Uint8Array => bytes(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
const row = (timestamp: number | undefined, input: number, ids: number[], extra: object = {}): object => ({
  ...(timestamp === undefined ? {} : { timestamp }),
  input_length: input,
  output_length: 4,
  hash_ids: ids,
  ...extra,
})

/** `line severity code` of everything found, whether or not the trace loads. */
function diagnosis(trace: Uint8Array, options: LoadTraceOptions = {}): string[] {
  const shown = (problems: SpicaTraceError['problems']): string[] =>
    problems.map(({ line, severity, code }) => `${line} ${severity} ${code}`)
  try {
    return shown(loadTrace(trace, options).problems)
  } catch (error) {
    if (!(error instanceof SpicaTraceError)) throw error
    return shown(error.problems)
  }
}

describe('loadTrace: Mooncake rows', () => {
  it('turns rows into columns, arrivals from the earliest timestamp over the speed-up', () => {
    const { workload, problems } = loadTrace(jsonl(row(100, 600, [7, 8]), row(300, 512, [7])), {
      arrivalSpeedupRatio: 2,
    })
    expect([...workload.arrivalMs]).toEqual([0, 100])
    expect([...workload.inputTokens]).toEqual([600, 512])
    expect([...workload.runOffsets]).toEqual([0, 2, 3])
    expect([...workload.runValue]).toEqual([0, 1, 0])
    expect([...workload.runLength]).toEqual([512, 88, 512])
    expect(workload.distinctValues).toBe(2)
    expect(problems.map((problem) => problem.code)).toEqual(['first-timestamp-not-zero'])
  })

  it('chains sessions by delay or timestamp difference', () => {
    const session = (timestamp: number | undefined, extra: object = {}): object =>
      row(timestamp, 10, [1], { session_id: 's', ...extra })
    const trace = jsonl(
      session(50),
      row(0, 10, [1], { session_id: 't' }),
      session(undefined, { delay: 30 }),
      session(90),
    )
    const { workload } = loadTrace(trace, { arrivalSpeedupRatio: 2 })
    expect([...workload.session]).toEqual([0, 1, 0, 0])
    expect([...workload.turn]).toEqual([0, 0, 1, 2])
    expect([...workload.nextTurn]).toEqual([2, -1, 3, -1])
    expect([...workload.arrivalMs]).toEqual([25, 0, Number.NaN, Number.NaN])
    expect([...workload.delayMs]).toEqual([0, 0, 15, 20])
    expect([...loadTrace(trace, { arrivalSpeedupRatio: 2, closedLoop: true }).workload.delayMs]).toEqual([0, 0, 30, 40])
    expect(workload.sessionIds).toEqual(['s', 't'])
  })

  it('keeps hash ids of 64 bits apart', () => {
    const ids = ['1', '4294967297', '9007199254740993', '9007199254740992', '18446744073709551615', '1']
    const trace = ids
      .map((id) => `{"timestamp": 0, "input_length": 512, "output_length": 1, "hash_ids": [${id}]}\n`)
      .join('')
    const { workload } = loadTrace(bytes(trace))
    expect([...workload.runValue]).toEqual([0, 1, 2, 3, 4, 0])
    expect(diagnosis(bytes(trace.replace('4294967297', '18446744073709551616')))).toContain('2 error hash-id-overflow')
    expect(diagnosis(bytes(trace.replace('4294967297', '-5')))).toContain('2 error bad-hash-id')
    expect(diagnosis(bytes(trace.replace('4294967297', '1.5')))).toContain('2 error bad-hash-id')
  })

  it('accumulates history for mooncake-delta', () => {
    const trace = jsonl(
      row(0, 600, [1, 2], { session_id: 'a' }),
      row(undefined, 100, [3], { session_id: 'a', delay: 5 }),
    )
    const { workload } = loadTrace(trace, { format: 'mooncake-delta' })
    expect([...workload.inputTokens]).toEqual([600, 704])
    expect([...workload.runValue]).toEqual([0, 1, 0, 1, -1, 2])
    expect([...workload.runLength]).toEqual([512, 88, 512, 88, 4, 100])
  })

  it('resolves an agentic graph and refuses cycles and unknown ids', () => {
    const node = (id: string, wait: string[], extra: object = {}): object =>
      row(wait.length === 0 ? 0 : undefined, 10, [1], {
        request_id: id,
        ...(wait.length === 0 ? {} : { wait_for: wait }),
        ...extra,
      })
    const graph = jsonl(node('a', []), node('b', ['a'], { delay: 7 }), node('c', ['a', 'b', 'a']))
    const { workload, format } = loadTrace(graph)
    expect(format).toBe('agentic_mooncake')
    expect([...workload.dependencyOffsets!]).toEqual([0, 0, 1, 3])
    expect([...workload.dependencies!]).toEqual([0, 0, 1])
    expect([...workload.delayMs]).toEqual([0, 7, 0])
    expect(diagnosis(jsonl(node('a', []), node('b', ['c']), node('c', ['b'])))).toEqual(['2 error dependency-cycle'])
    expect(diagnosis(jsonl(node('a', []), node('b', ['z'])))).toEqual(['2 error unknown-dependency'])
    expect(diagnosis(jsonl(node('a', []), node('a', [])), { format: 'agentic_mooncake' })).toEqual([
      '2 error duplicate-request-id',
    ])
  })

  it('reads pieces of any size like the whole', () => {
    const whole = jsonl(row(0, 600, [7, 8]), row(5, 512, [7]), row(9, 100, [9]))
    const pieces = (size: number): Uint8Array[] =>
      Array.from({ length: Math.ceil(whole.length / size) }, (_, index) =>
        whole.subarray(index * size, (index + 1) * size),
      )
    const expected = loadTrace(whole).workload
    for (const size of [1, 7, 64, 1000]) expect(loadTrace(pieces(size)).workload).toEqual(expected)
  })

  it('takes aliases, a column map, seconds and quoted numbers, and says so', () => {
    const aliased = jsonl({ created_time: 0, input_tokens: 600, output_tokens: '5', hash_ids: [0, 1] })
    expect(diagnosis(aliased)).toEqual([
      '1 warning alias-field',
      '1 warning alias-field',
      '1 warning alias-field',
      '1 warning quoted-number',
    ])
    const mapped = jsonl({ ts: 1.5, p: 10, d: 2 }, { ts: 2.5, p: 11, d: 3 })
    const columns = { timestamp: 'ts', input_length: 'p', output_length: 'd' }
    const { workload } = loadTrace(mapped, { columns, timestampUnit: 's' })
    expect([...workload.arrivalMs]).toEqual([0, 1000])
    expect([...workload.inputTokens]).toEqual([10, 11])
  })
})

describe('loadTrace: faults have lines', () => {
  it.each([
    ['{"timestamp": 0, "input_length": 1, "output_length": 1, "hash_ids": [0,1', '1 error truncated-line'],
    ['{"timestamp": 0, "input_length": NaN, "output_length": 1}', '1 error not-a-finite-number'],
    ['{"timestamp": 0, "input_length": 1e999, "output_length": 1}', '1 error number-out-of-range'],
    ['{"timestamp": 0, "input_length": 5000000000, "output_length": 1}', '1 error number-out-of-range'],
    ['{"timestamp": 0, "input_length": -1, "output_length": 1}', '1 error negative-number'],
    ['{"timestamp": 0, "input_length": 1.5, "output_length": 1}', '1 error not-an-integer'],
    ['{"timestamp": 0, "input_length": [], "output_length": 1}', '1 error wrong-type'],
    ['{"timestamp": 0, "input_length": 1, "output_length": 1, "hash_ids": "a"}', '1 error wrong-type'],
    ['{"timestamp": 0, "output_length": 1}', '1 error missing-field'],
    ['{"timestamp": 0 "input_length": 1}', '1 error invalid-json'],
    ['{"timestamp": 0, "input_length": 1, "output_length": 1} x', '1 error invalid-json'],
    ['{"timestamp": 0, "input_length": 01, "output_length": 1}', '1 error invalid-json'],
    ['[{"timestamp": 0}]', '1 error not-an-object'],
    ['hello', '1 error not-an-object'],
    ['a,b,c\n1,2,3', '1 error unknown-columns'],
    ['', '1 error empty-trace'],
    ['\n# only a comment\n', '2 error empty-trace'],
    ['\u001f\u008b', '1 error not-an-object'],
  ])('%j', (text, expected) => {
    expect(diagnosis(bytes(text))).toContain(expected)
  })

  it('names gzip, UTF-16 and bytes that are not UTF-8', () => {
    expect(diagnosis(Uint8Array.of(0x1f, 0x8b, 8, 0))).toEqual(['1 error compressed-input'])
    expect(diagnosis(Uint8Array.of(0xff, 0xfe, 0x7b, 0))).toEqual(['1 error invalid-encoding'])
    const latin = bytes('{"timestamp": 0, "input_length": 1, "output_length": 1, "session_id": "?"}')
    latin[latin.indexOf(63)] = 0xe9
    expect(diagnosis(latin)).toEqual(['1 error invalid-encoding'])
  })

  it('reports repairs: clamping, spare ids, order, blank lines, CRLF, BOM, conflicts', () => {
    expect(diagnosis(jsonl(row(0, 600, [0])))).toEqual(['1 warning clamped-to-hash-ids'])
    expect(diagnosis(jsonl(row(0, 512, [0, 1])))).toEqual(['1 warning extra-hash-ids'])
    expect(diagnosis(jsonl(row(0, 513, [0, 1]), row(1, 511, [2]), row(1, 512, [3])))).toEqual([])
    expect(diagnosis(jsonl(row(9, 512, [0]), row(0, 512, [0])))).toEqual(['2 warning out-of-order'])
    expect(diagnosis(jsonl(row(0, 700, [0, 1]), row(1, 1024, [0, 1])))).toEqual(['2 warning hash-length-conflict'])
    expect(diagnosis(jsonl(row(0, 1024, [0, 0])))).toEqual(['1 warning repeated-hash-id'])
    expect(diagnosis(bytes('\ufeff{"timestamp":0,"input_length":5,"output_length":1}\r\n\r\n'))).toEqual([
      '1 warning byte-order-mark',
      '1 warning crlf',
      '2 warning blank-line',
    ])
    expect(loadTrace(jsonl(row(9, 512, [0]), row(0, 600, [0]))).workload.inputTokens[1]).toBe(512)
  })

  it('has one policy for missing timestamps', () => {
    const mixed = jsonl(row(undefined, 512, [0]), row(100, 512, [0]))
    expect(diagnosis(mixed)).toContain('1 error missing-timestamp')
    expect(diagnosis(mixed, { closedLoop: true })).toContain('1 warning missing-timestamp')
    const none = jsonl(row(undefined, 512, [0]), row(undefined, 512, [0]))
    expect(diagnosis(none)).toEqual(['1 error no-timestamps'])
    expect(diagnosis(none, { allowNoTimestamps: true })).toEqual(['1 warning no-timestamps'])
    expect(diagnosis(none, { closedLoop: true })).toEqual([])
  })

  it('lists at most a hundred lines of one kind and counts the rest', () => {
    const rows = Array.from({ length: 250 }, () => row(0, 600, [0]))
    const { problems } = loadTrace(jsonl(...rows))
    expect(problems).toHaveLength(100)
    expect(problems.at(-1)).toMatchObject({ line: 100, more: 150 })
  })

  it('leaves broken rows out when told to', () => {
    const trace = bytes('{"timestamp": 0, "input_length": 5, "output_length": 1}\n{"timestamp": 1, "inp')
    expect(loadTrace(trace, { dropBrokenRows: true }).workload.count).toBe(1)
    expect(diagnosis(trace, { dropBrokenRows: true })).toEqual(['2 warning truncated-line'])
  })

  it('names file, line, column and a hint in the error', () => {
    const trace = bytes('{"timestamp": 0, "input_length": 5, "output_length": 1}\n{"timestamp": 1, "inp')
    expect(() => loadTrace(trace, { file: 't.jsonl' })).toThrow(/^t\.jsonl:2:22 truncated-line: .*\(delete or complete/)
  })

  it('refuses options out of range', () => {
    const trace = jsonl(row(0, 5, [0]))
    expect(() => loadTrace(trace, { arrivalSpeedupRatio: 0 })).toThrow(/speed-up/)
    expect(() => loadTrace(trace, { traceBlockSize: 1.5 })).toThrow(/block size/)
    expect(() => loadTrace(trace, { format: 'dynamo' as never })).toThrow(/not supported/)
  })
})

describe('loadTrace: tables of other tools', () => {
  it('reads Azure dates to the tick, without a time-zone shift', () => {
    const azure =
      'TIMESTAMP,ContextTokens,GeneratedTokens\r\n2023-11-16 23:59:58.6805900,374,44\r\n2023-11-17 00:00:02.9951690,396,109\r\n'
    const { workload, statistics, format } = loadTrace(bytes(azure))
    expect(format).toBe('azure')
    expect(workload.arrivalMs[1]).toBeCloseTo(4314.579, 6)
    expect(statistics.idealPrefixHitRate).toBeNull()
    const zoned =
      'TIMESTAMP,ContextTokens,GeneratedTokens\n2024-05-10 00:00:00.009930+00:00,1,1\n2024-05-10 01:00:00.009930+01:00,1,1\n'
    expect([...loadTrace(bytes(zoned)).workload.arrivalMs]).toEqual([0, 0])
  })

  it('drops failed BurstGPT rows and chains its sessions by think time', () => {
    const table = [
      'Timestamp,Session ID,Elapsed time,Model,Request tokens,Response tokens,Total tokens,Log Type',
      '5,1,10.5,ChatGPT,472,18,490,Conversation log',
      '20,1,3,ChatGPT,500,20,520,Conversation log',
      '45,,3.1,GPT-4,1087,230,1317,API log',
      '118,,0.4,GPT-4,417,0,417,API log',
    ].join('\n')
    const { workload } = loadTrace(bytes(table))
    expect([...workload.inputTokens]).toEqual([472, 500, 1087])
    expect([...workload.arrivalMs]).toEqual([0, Number.NaN, 40000])
    expect(workload.delayMs[1]).toBe(4500)
    expect(diagnosis(bytes(table))).toContain('5 warning failed-row')
    const older = 'Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type\n5,ChatGPT,472,18,490,x\n'
    expect(diagnosis(bytes(older))).toContain('1 warning older-columns')
  })

  it('reads Vidur traces in seconds and lengths-only ones', () => {
    const vidur = 'arrived_at,num_prefill_tokens,num_decode_tokens\n0.0,374,44\n4.314579,396,109\n'
    expect([...loadTrace(bytes(vidur)).workload.arrivalMs]).toEqual([0, 4314.579])
    expect(diagnosis(bytes('num_prefill_tokens,num_decode_tokens\n3,4\n'), { closedLoop: true })).toEqual([
      '1 warning older-columns',
    ])
  })

  it('reads Weka rows, flat or nested, keeping the tail beyond the hashed blocks', () => {
    const flat = bytes(
      '{"id":"c1","t":0.0,"in":130,"out":20,"hash_ids":[1,2]}\n{"id":"c1","t":2.5,"in":260,"out":20,"hash_ids":[1,2,3,4]}\n',
    )
    const { workload, format } = loadTrace(flat)
    expect(format).toBe('weka')
    expect([...workload.inputTokens]).toEqual([130, 260])
    expect([...workload.runLength]).toEqual([64, 64, 64, 64, 64, 64])
    expect([...workload.delayMs]).toEqual([0, 2500])
    const nested = bytes(
      '{"id":"c1","block_size":64,"requests":[{"t":0.0,"in":130,"out":20,"hash_ids":[1,2]},{"t":2.5,"in":260,"out":20,"hash_ids":[1,2,3,4]}]}',
    )
    expect(loadTrace(nested).workload).toEqual(workload)
  })

  it('points at bad cells', () => {
    const table = (cells: string): Uint8Array =>
      bytes(`arrived_at,num_prefill_tokens,num_decode_tokens\n${cells}\n1,2,3\n`)
    expect(diagnosis(table('0,x,3'))).toContain('2 error wrong-type')
    expect(diagnosis(table('0,,3'))).toContain('2 error missing-cell')
    expect(diagnosis(table('0,3'))).toContain('2 error missing-cell')
    expect(diagnosis(table(',3,4'))).toContain('2 error missing-timestamp')
    expect(diagnosis(bytes('arrived_at,num_prefill_tokens,num_decode_tokens\n1,2,3\n2,3'))).toContain(
      '3 error truncated-line',
    )
  })
})
