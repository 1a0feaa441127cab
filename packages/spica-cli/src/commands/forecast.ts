import {
  carryIdleShapes,
  type PredictorSweepResult,
  sweepPredictors,
  type TraceColumns,
  traceWindows,
} from '@spica/planner'
import { loadTrace } from '@spica/replay-sim'
import { type Compat, LOAD_PREDICTOR_PRESETS, type LoadPredictorName } from '@spica/schema'
import { readInputBytes } from '../io/read-input.js'
import { significant, textTable } from '../output/text-table.js'
import { predictorCandidates } from '../study/predictor-plan.js'
import { type CommandRegistration, printJson } from './command.js'
import { compatList, finiteNumber } from './flags.js'

interface ForecastFlags {
  interval: number
  arrivalSpeedupRatio?: number
  compat?: Compat[]
  json?: true
}

export const registerForecast: CommandRegistration = (program, environment) => {
  program
    .command('forecast')
    .description('compare the load predictors on a trace: windows, loss per preset, winner')
    .argument('<trace>', 'trace, gzip or not')
    .requiredOption('--interval <seconds>', 'length of a window', finiteNumber(0))
    .option('--arrival-speedup-ratio <n>', 'arrivals come this many times faster', finiteNumber(0))
    .option('--compat <list>', 'restore upstream quirks: dynamo-1.4', compatList)
    .option('--json', 'print the result as JSON')
    .action((trace: string, flags: ForecastFlags) => {
      const result = forecast(trace, flags)
      if (flags.json === true)
        return printJson(environment, {
          interval_s: result.intervalSeconds,
          windows: result.windows,
          warmup: result.warmup,
          losses: result.losses,
          winner: result.winner,
          reason: result.reason,
        })
      const rows = Object.entries(result.losses).map(([name, loss]) => [name, loss === null ? null : significant(loss)])
      const why = result.reason === null ? '' : ` (${result.reason})`
      environment.stdout.write(
        `${result.windows} windows of ${result.intervalSeconds} s, ${result.warmup} for warm-up\n${textTable(['predictor', 'loss'], rows)}\nwinner: ${result.winner}${why}\n`,
      )
    })
}

function forecast(file: string, flags: ForecastFlags): PredictorSweepResult {
  const bytes = readInputBytes(file)
  const compat = flags.compat?.includes('dynamo-1.4') === true
  const { workload } = loadTrace(bytes, { file, allowNoTimestamps: false })
  const offset = firstTimestampMs(bytes)
  const starts = workload.arrivalMs.map((ms) => ms + offset)
  const timed = (column: Int32Array) => column.filter((_, request) => !Number.isNaN(workload.arrivalMs[request]))
  const columns: TraceColumns = {
    timestampMs: starts.filter((ms) => !Number.isNaN(ms)),
    inputTokens: timed(workload.inputTokens),
    outputTokens: timed(workload.outputTokens),
  }
  // Upstream's sweep ignores the speed-up and shows idle windows as zeros.
  const windows = traceWindows(columns, flags.interval, compat ? 1 : (flags.arrivalSpeedupRatio ?? 1))
  const presets = Object.keys(LOAD_PREDICTOR_PRESETS) as LoadPredictorName[]
  return sweepPredictors(
    compat ? windows : carryIdleShapes(windows),
    predictorCandidates(presets, flags.interval),
    flags.interval,
  )
}

/**
 * Smallest timestamp of a JSONL trace, ms: windows count from time 0 of the file, but a loaded trace starts at 0. 0 for
 * layouts with dates or seconds.
 */
function firstTimestampMs(bytes: Uint8Array): number {
  const text = new TextDecoder().decode(bytes)
  if (!/^\s*\{/.test(text)) return 0
  let first = Number.POSITIVE_INFINITY
  for (const match of text.matchAll(/"timestamp"\s*:\s*(-?[0-9.eE+]+)/g)) first = Math.min(first, Number(match[1]))
  return Number.isFinite(first) ? first : 0
}
