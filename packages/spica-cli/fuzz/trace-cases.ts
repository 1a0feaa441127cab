import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { CaseMaker } from './fuzz-case.js'
import { draw, hostileRecord } from './hostile-values.js'
import { type CliRun, judgeJson, judgeRun, runCaptured } from './judge-run.js'
import { mutateBytes } from './mutate-bytes.js'
import { createDice, type Dice } from './random.js'

const rows = (count: number, row: (index: number) => unknown): string =>
  Array.from({ length: count }, (_, index) => JSON.stringify(row(index)) + '\n').join('')

/** A small sound file of each format. */
const BASES: readonly string[] = [
  rows(8, (i) => ({ timestamp: i * 100, input_length: 600 + i, output_length: 3 + i, hash_ids: [0, i + 1] })),
  rows(6, (i) => ({
    session_id: `s${i % 2}`,
    ...(i < 2 ? { timestamp: i } : { delay: 50 }),
    input_length: 520,
    output_length: 4,
    hash_ids: [2 * i, 2 * i + 1],
  })),
  rows(5, (i) => ({
    request_id: `r${i}`,
    session_id: 'a',
    input_length: 100,
    output_length: 2,
    hash_ids: [i],
    ...(i === 0 ? { timestamp: 0 } : { wait_for: [`r${i - 1}`], delay: 5 }),
  })),
  rows(5, (i) => ({ id: `c${i % 2}`, t: i * 0.5, in: 130 + 64 * i, out: 7, hash_ids: [1, 2, 3 + i] })),
  'TIMESTAMP,ContextTokens,GeneratedTokens\r\n2023-11-16 18:15:46.6805900,374,44\r\n2023-11-16 18:15:50.9951690,396,109\r\n2023-11-16 18:15:51.2224670,879,55\r\n',
  'Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type\n5,ChatGPT,472,18,490,Conversation log\n45,GPT-4,1087,230,1317,API log\n',
  'arrived_at,num_prefill_tokens,num_decode_tokens\n0.0,374,44\n4.314579,396,109\n4.541877,879,55\n',
  'num_prefill_tokens,num_decode_tokens,num_total_tokens,pd_ratio\n3772,54,3826,69.85\n2015,156,2171,12.9\n',
]
const ROW_KEYS: readonly string[] = [
  'timestamp',
  'delay',
  'input_length',
  'output_length',
  'hash_ids',
  'session_id',
  'request_id',
  'wait_for',
  'input_tokens',
  'x',
  '__proto__',
]

/** Attacks on traces: `trace check`, `trace convert`, `forecast` and `replay` must all agree on whether a file loads. */
export function traceCases(folder: string, seed: number): CaseMaker {
  return {
    make(number) {
      const dice = createDice(seed + number)
      const path = join(folder, 'trace.any')
      const source = dice.chance(0.4)
        ? Buffer.from(hostileRows(dice, seed + number))
        : mutateBytes(Buffer.from(dice.pick(BASES)), dice)
      const bytes = dice.chance(0.05)
        ? gzipSync(source)
        : dice.chance(0.02)
          ? mutateBytes(gzipSync(source), dice)
          : source
      const second = dice.pick(['convert', 'convert-drop', 'replay', 'replay-closed', 'forecast'] as const)
      return {
        kind: 'trace',
        label: `${second} ${Buffer.from(source).toString().slice(0, 1500)}`,
        async run() {
          writeFileSync(path, bytes)
          const checked = await runCaptured(['trace', 'check', path, '--json'])
          const complaints = judgeRun(checked, [0, 2])
          if (checked.stdout !== '')
            complaints.push(...judgeJson(checked.stdout, (at) => !/mean|min|max|p\d\d|spanMs/.test(at)))
          complaints.push(...(await attack(second, path, folder, checked)))
          return { outcome: `check exit ${checked.code}`, complaints }
        },
      }
    },
    dispose: () => {},
  }
}

function hostileRows(dice: Dice, seed: number): string {
  const lines: string[] = []
  for (let row = 0; row < 1 + dice.below(6); row++) {
    const base = { timestamp: row * 10, input_length: 100 + row, output_length: 2, hash_ids: [row] }
    lines.push(JSON.stringify(draw(hostileRecord(base, ROW_KEYS, 2), seed * 31 + row)))
  }
  return lines.join(dice.pick(['\n', '\r\n', '\n\n'])) + dice.pick(['', '\n'])
}

const ENGINE = '{"num_gpu_blocks":400,"block_size":64,"max_num_seqs":8,"max_num_batched_tokens":2048}'

async function attack(second: string, path: string, folder: string, checked: CliRun): Promise<string[]> {
  const checkCode = checked.code
  if (second.startsWith('convert')) {
    const out = join(folder, 'converted.jsonl')
    rmSync(out, { force: true })
    const drop = second === 'convert-drop' ? ['--drop-broken-rows'] : []
    const ran = await runCaptured(['trace', 'convert', path, '--out', out, ...drop])
    const complaints = judgeRun(ran, [0, 2])
    if (existsSync(out) !== (ran.code === 0))
      complaints.push(`convert exits ${ran.code} but the file is ${existsSync(out) ? '' : 'not '}there`)
    if (readdirSync(folder).some((name) => name.endsWith('.tmp'))) complaints.push('convert leaves a temporary file')
    if (drop.length === 0 && ran.code !== checkCode)
      complaints.push(`check exits ${checkCode}, convert ${ran.code}: ${ran.stderr.slice(0, 200)}`)
    if (ran.code === 0) {
      const again = await runCaptured(['trace', 'check', out, '--json'])
      if (again.code !== 0) complaints.push(`what convert wrote does not load: ${again.stdout.slice(0, 500)}`)
    }
    return complaints
  }
  if (second === 'forecast') {
    const ran = await runCaptured(['forecast', path, '--interval', String(forecastInterval(checked.stdout)), '--json'])
    return ran.code === 0 ? [...judgeRun(ran), ...judgeJson(ran.stdout, () => true)] : judgeRun(ran)
  }
  const closed = second === 'replay-closed' ? ['--replay-concurrency', '2'] : []
  const ran = await runCaptured([
    'replay',
    path,
    '--extra-engine-args',
    ENGINE,
    '--max-sim-time-seconds',
    '1e6',
    ...closed,
    '--json',
  ])
  const complaints = judgeRun(ran)
  if (ran.code === 0) complaints.push(...judgeJson(ran.stdout, () => false))
  if (closed.length === 0 && checkCode === 2 && ran.code === 0)
    complaints.push('check says the file does not load, replay runs it')
  return complaints
}

/** Seconds of a window, so that a damaged timestamp far away makes dozens of windows, not thousands. */
function forecastInterval(report: string): number {
  const { statistics } = JSON.parse(report || '{"statistics":null}') as { statistics: { span_ms?: number } | null }
  return Math.max(60, (statistics?.span_ms ?? 0) / 50_000)
}
