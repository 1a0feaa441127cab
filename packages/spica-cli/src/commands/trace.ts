import { closeSync, openSync, renameSync, writeSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  checkTrace,
  convertTrace,
  formatTraceProblem,
  type LengthShape,
  type LoadTraceOptions,
  type RateProfile,
  synthesizeTrace,
  TRACE_FORMATS,
  type TraceFormat,
  type WorkloadStatistics,
} from '@spica/replay-sim'
import { SpicaError } from '@spica/schema'
import { type Command, Option } from 'commander'
import { EXIT } from '../exit-codes.js'
import { refuseSpecialFile, removeQuietly, unwritable } from '../io/atomic-write.js'
import { readInputBytes } from '../io/read-input.js'
import { significant, textTable } from '../output/text-table.js'
import { type CommandEnvironment, type CommandRegistration, printJson } from './command.js'
import { finiteNumber, wholeNumber } from './flags.js'

interface ReadFlags {
  format?: TraceFormat
  traceBlockSize?: number
  timestampUnit?: 'ms' | 's'
  dropBrokenRows?: true
  json?: true
}

export const registerTrace: CommandRegistration = (program, environment) => {
  const trace = program.command('trace').description('diagnose, convert and generate request traces')
  readFlags(trace.command('check'))
    .description('list every departure from plain Mooncake JSONL, with statistics')
    .argument('<file>', 'trace, gzip or not')
    .action((file: string, flags: ReadFlags) => check(file, flags, environment))
  readFlags(trace.command('convert'))
    .description('rewrite a trace (Azure, BurstGPT, Vidur, Weka, dirty Mooncake) as Mooncake JSONL')
    .argument('<file>', 'trace, gzip or not')
    .requiredOption('--out <file>', 'file to write, or - for standard output')
    .option('--drop-broken-rows', 'leave out rows that cannot be read')
    .action((file: string, flags: ReadFlags & { out: string }) => convert(file, flags, environment))
  synthFlags(trace.command('synth'))
    .description('generate a trace with given rate, lengths and prefix reuse')
    .requiredOption('--out <file>', 'file to write, or - for standard output')
    .action((flags: SynthFlags) => synth(flags, environment))
}

function readFlags(command: Command): Command {
  return command
    .addOption(new Option('--format <name>', 'layout (default: found by its first row)').choices(TRACE_FORMATS))
    .option('--trace-block-size <tokens>', 'tokens per hash id', wholeNumber(1))
    .addOption(new Option('--timestamp-unit <unit>', 'unit of timestamps').choices(['ms', 's']))
    .option('--json', 'print the result as JSON')
}

function readOptions(file: string, flags: ReadFlags): LoadTraceOptions {
  return {
    file,
    ...(flags.format === undefined ? {} : { format: flags.format }),
    ...(flags.traceBlockSize === undefined ? {} : { traceBlockSize: flags.traceBlockSize }),
    ...(flags.timestampUnit === undefined ? {} : { timestampUnit: flags.timestampUnit }),
    ...(flags.dropBrokenRows === true ? { dropBrokenRows: true } : {}),
  }
}

function check(file: string, flags: ReadFlags, environment: CommandEnvironment): void {
  const result = checkTrace(readInputBytes(file), readOptions(file, flags))
  const { format, rows, requests, problems, loads, statistics } = result
  if (flags.json === true)
    printJson(environment, {
      format,
      rows,
      requests,
      loads,
      problems,
      statistics: statistics === null ? null : statisticsJson(statistics),
    })
  else {
    const lines = problems.map((problem) => `${problem.severity}: ${formatTraceProblem(problem, file)}`)
    lines.push(`${file}: ${format}, ${rows} rows, ${loads ? 'loads' : 'does not load'}`)
    if (statistics !== null) lines.push(statisticsText(statistics))
    environment.stdout.write(lines.join('\n') + '\n')
  }
  environment.setExitCode(loads ? EXIT.success : EXIT.input)
}

/** Statistics with snake_case names: times in ms, lengths in tokens, shares 0…1. */
function statisticsJson(statistics: WorkloadStatistics): unknown {
  const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return Object.fromEntries(Object.entries(statistics).map(([name, value]) => [snake(name), value]))
}

function statisticsText(statistics: WorkloadStatistics): string {
  const { inputTokens, outputTokens, ratePerSecond, burstiness, idealPrefixHitRate, spanMs } = statistics
  const row = (name: string, lengths: WorkloadStatistics['inputTokens']) => [
    name,
    significant(lengths.mean, 6),
    lengths.min,
    lengths.p50,
    lengths.p90,
    lengths.p99,
    lengths.max,
  ]
  const known = (value: number | null, unit: string) => (value === null ? 'unknown' : `${significant(value)}${unit}`)
  return [
    textTable(
      ['tokens', 'mean', 'min', 'p50', 'p90', 'p99', 'max'],
      [row('input', inputTokens), row('output', outputTokens)],
    ),
    `${statistics.requests} requests in ${statistics.sessions} sessions over ${significant(spanMs / 1000)} s, rate ${known(ratePerSecond, ' /s')}, burstiness ${known(burstiness, '')}`,
    `ideal prefix hit rate ${idealPrefixHitRate === null ? 'unknown (no hash ids)' : `${significant(idealPrefixHitRate * 100, 4)} %`}`,
  ].join('\n')
}

function convert(file: string, flags: ReadFlags & { out: string }, environment: CommandEnvironment): void {
  const converted = convertTrace(readInputBytes(file), readOptions(file, flags))
  writeChunks(flags.out, converted.chunks, environment)
  const report = {
    source_format: converted.sourceFormat,
    format: converted.format,
    trace_block_size: converted.traceBlockSize,
    rows: converted.rows,
    problems: converted.problems,
  }
  if (flags.json === true && flags.out !== '-') {
    printJson(environment, report)
    return
  }
  for (const problem of converted.problems)
    environment.stderr.write(`${problem.severity}: ${formatTraceProblem(problem, file)}\n`)
  environment.stderr.write(`${converted.rows} rows of ${converted.sourceFormat} written as ${converted.format}\n`)
}

interface SynthFlags {
  out: string
  requests: number
  rate: number
  burstiness?: number
  profile: RateProfile['kind']
  period?: number
  amplitude?: number
  from?: number
  to?: number
  burstEvery?: number
  burstLength?: number
  burstFactor?: number
  isl: number
  islP50?: number
  islP99?: number
  islMax?: number
  osl: number
  oslP50?: number
  oslP99?: number
  oslMax?: number
  prefixHitRate?: number
  prefixGroups?: number
  zipf?: number
  traceBlockSize?: number
  seed?: number
  json?: true
}

function synthFlags(command: Command): Command {
  const positive = finiteNumber(0)
  const share = finiteNumber(0, true)
  return command
    .requiredOption('--requests <n>', 'number of requests', wholeNumber(1))
    .requiredOption('--rate <per-second>', 'mean arrivals a second', positive)
    .option('--burstiness <cv>', 'variation of gaps: 0 regular, 1 Poisson', share)
    .addOption(
      new Option('--profile <kind>', 'how the rate moves')
        .choices(['constant', 'sine', 'ramp', 'burst'])
        .default('constant'),
    )
    .option('--period <seconds>', 'sine: length of a wave', positive)
    .option('--amplitude <share>', 'sine: 0 to 1', share)
    .option('--from <rate>', 'ramp: rate at the start', share)
    .option('--to <rate>', 'ramp: rate at the end', share)
    .option('--burst-every <seconds>', 'burst: time between starts', positive)
    .option('--burst-length <seconds>', 'burst: how long each lasts', share)
    .option('--burst-factor <n>', 'burst: rate over the rate in between', share)
    .requiredOption('--isl <tokens>', 'mean prompt length', positive)
    .option('--isl-p50 <tokens>', 'median prompt length', positive)
    .option('--isl-p99 <tokens>', '99th percentile of prompt lengths', positive)
    .option('--isl-max <tokens>', 'longest prompt', wholeNumber(1))
    .requiredOption('--osl <tokens>', 'mean output length', share)
    .option('--osl-p50 <tokens>', 'median output length', positive)
    .option('--osl-p99 <tokens>', '99th percentile of output lengths', positive)
    .option('--osl-max <tokens>', 'longest output', wholeNumber(1))
    .option('--prefix-hit-rate <share>', 'prompt share an unlimited cache would hold, 0 to 1', share)
    .option('--prefix-groups <n>', 'distinct prefixes', wholeNumber(1))
    .option('--zipf <exponent>', 'how unevenly prefixes are used', share)
    .option('--trace-block-size <tokens>', 'tokens per hash id', wholeNumber(1))
    .option('--seed <n>', 'equal seeds give equal traces', wholeNumber(0))
    .option('--json', 'print what was reached as JSON')
}

function synth(flags: SynthFlags, environment: CommandEnvironment): void {
  const set = <K extends string>(key: K, value: number | undefined) => (value === undefined ? {} : { [key]: value })
  const made = synthesizeTrace({
    requests: flags.requests,
    ratePerSecond: flags.rate,
    profile: profileOf(flags),
    inputTokens: {
      mean: flags.isl,
      ...set('p50', flags.islP50),
      ...set('p99', flags.islP99),
      ...set('max', flags.islMax),
    } as LengthShape,
    outputTokens: {
      mean: flags.osl,
      ...set('p50', flags.oslP50),
      ...set('p99', flags.oslP99),
      ...set('max', flags.oslMax),
    } as LengthShape,
    ...set('burstiness', flags.burstiness),
    ...set('idealPrefixHitRate', flags.prefixHitRate),
    ...set('prefixGroups', flags.prefixGroups),
    ...set('zipfExponent', flags.zipf),
    ...set('traceBlockSize', flags.traceBlockSize),
    ...set('seed', flags.seed),
  })
  writeChunks(flags.out, made.chunks, environment)
  if (flags.json === true && flags.out !== '-') printJson(environment, { statistics: statisticsJson(made.statistics) })
  else environment.stderr.write(statisticsText(made.statistics) + '\n')
}

function profileOf(flags: SynthFlags): RateProfile {
  const need = (name: string, value: number | undefined): number => {
    if (value !== undefined) return value
    throw new SpicaError('input', 'missing-flag', `a ${flags.profile} profile needs --${name}`)
  }
  if (flags.profile === 'sine')
    return { kind: 'sine', periodSeconds: need('period', flags.period), amplitude: need('amplitude', flags.amplitude) }
  if (flags.profile === 'ramp') return { kind: 'ramp', from: need('from', flags.from), to: need('to', flags.to) }
  if (flags.profile === 'constant') return { kind: 'constant' }
  return {
    kind: 'burst',
    everySeconds: need('burst-every', flags.burstEvery),
    lengthSeconds: need('burst-length', flags.burstLength),
    factor: need('burst-factor', flags.burstFactor),
  }
}

/** Writes pieces of text to a file, which appears only when all are written, or to standard output for `-`. */
function writeChunks(out: string, chunks: Iterable<string>, environment: CommandEnvironment): void {
  if (out === '-') {
    for (const chunk of chunks) environment.stdout.write(chunk)
    return
  }
  const path = resolve(out)
  refuseSpecialFile(path)
  const temporary = `${path}.${process.pid}.tmp`
  try {
    const file = openSync(temporary, 'wx')
    try {
      for (const chunk of chunks) writeSync(file, chunk)
    } finally {
      closeSync(file)
    }
    renameSync(temporary, path)
  } catch (error) {
    removeQuietly(temporary)
    throw error instanceof SpicaError ? error : unwritable(path, error)
  }
}
