import { SpicaError } from '@spica/schema'
import { poissonArrivalsMs } from '../random/poisson-arrivals.js'
import { StdRng } from '../random/std-rng.js'
import type { LoadMode, Workload } from './workload.js'

/** Seed of the draws that put sessions into prefix groups, upstream's. */
const GROUP_SEED = 42

/** A synthetic load; lengths in tokens, exactly one of the three ways to offer it. */
export interface SyntheticOptions {
  /** Prompt length of every request. */
  readonly inputTokens: number
  /** Output length of every request; 0 is legal. */
  readonly outputTokens: number
  /** Number of sessions (requests = sessions · turns). */
  readonly requestCount: number
  /** Closed loop: sessions in flight. */
  readonly concurrency?: number
  /** Open loop: Poisson arrivals at this mean rate. */
  readonly requestRatePerSecond?: number
  /** Open loop: constant gap, ms. */
  readonly arrivalIntervalMs?: number
  /** Seed of Poisson arrivals; default 42. */
  readonly arrivalSeed?: number
  /** Requests of a session, one after another; default 1. Every turn is an independent prompt of the full length. */
  readonly turnsPerSession?: number
  /** Share of the prompt's blocks that requests of one group have in common, 0…1; default 0. */
  readonly sharedPrefixRatio?: number
  /** Number of groups; default 0 = nothing is shared. */
  readonly numPrefixGroups?: number
  /** Think time between turns, ms; default 0. */
  readonly interTurnDelayMs?: number
  /** Engine block size the shared prefix is counted in; default 64. */
  readonly blockSize?: number
  /** Divides arrivals and delays in open loop; default 1. */
  readonly arrivalSpeedupRatio?: number
}

export interface SyntheticLoad {
  readonly workload: Workload
  readonly load: LoadMode
}

/** Generates a synthetic load; the same options give the same bytes. Throws `SpicaError` for options out of range. */
export function syntheticWorkload(options: SyntheticOptions): SyntheticLoad {
  checkSynthetic(options)
  const { inputTokens, outputTokens, requestCount: sessions } = options
  const turns = options.turnsPerSession ?? 1
  const count = sessions * turns
  const closed = options.concurrency !== undefined
  const speedup = closed ? 1 : (options.arrivalSpeedupRatio ?? 1)
  const starts = arrivals(options)
  const arrivalMs = new Float64Array(count).fill(Number.NaN)
  const session = new Int32Array(count)
  const turn = new Int32Array(count)
  const nextTurn = new Int32Array(count).fill(-1)
  const delayMs = new Float64Array(count)
  for (let request = 0; request < count; request++) {
    const index = Math.floor(request / turns)
    session[request] = index
    turn[request] = request % turns
    if (turn[request] === 0) arrivalMs[request] = starts[index]! / speedup
    else {
      nextTurn[request - 1] = request
      delayMs[request] = (options.interTurnDelayMs ?? 0) / speedup
    }
  }
  const workload: Workload = {
    count,
    inputTokens: new Int32Array(count).fill(inputTokens),
    outputTokens: new Int32Array(count).fill(outputTokens),
    ...sharedPrefixes(options, count, turns),
    arrivalMs,
    session,
    turn,
    delayMs,
    nextTurn,
    dependencyOffsets: null,
    dependencies: null,
    priority: null,
    strictPriority: null,
    sessionIds: null,
    requestIds: null,
    origin: 'synthetic',
  }
  return { workload, load: closed ? { kind: 'closed', concurrency: options.concurrency! } : { kind: 'open' } }
}

function arrivals(options: SyntheticOptions): Float64Array {
  const { requestCount, arrivalIntervalMs, requestRatePerSecond } = options
  if (requestRatePerSecond !== undefined)
    return poissonArrivalsMs(requestCount, requestRatePerSecond, options.arrivalSeed)
  return Float64Array.from({ length: requestCount }, (_, index) => index * (arrivalIntervalMs ?? 0))
}

type PrefixColumns = Pick<Workload, 'runOffsets' | 'runValue' | 'runLength' | 'distinctValues' | 'uniformRunLength'>

/** Runs of the shared leading blocks; everything else in a prompt is unique. */
function sharedPrefixes(options: SyntheticOptions, count: number, turns: number): PrefixColumns {
  const blockSize = options.blockSize ?? 64
  const groups = options.numPrefixGroups ?? 0
  const ratio = options.sharedPrefixRatio ?? 0
  const runOffsets = new Uint32Array(count + 1)
  const blocks = Math.ceil(options.inputTokens / blockSize)
  const prefixBlocks = groups > 0 && ratio > 0 ? Math.floor(blocks * ratio + 0.5) : 0
  if (prefixBlocks === 0) {
    const none = new Int32Array(0)
    return { runOffsets, runValue: none, runLength: none, distinctValues: 0, uniformRunLength: blockSize }
  }
  const rng = new StdRng(GROUP_SEED)
  const runValue = new Int32Array(count * prefixBlocks)
  const runLength = new Int32Array(count * prefixBlocks).fill(blockSize)
  const partial = options.inputTokens - (blocks - 1) * blockSize
  let group = 0
  for (let request = 0; request < count; request++) {
    if (request % turns === 0) group = rng.below(groups)
    const first = request * prefixBlocks
    for (let block = 0; block < prefixBlocks; block++) runValue[first + block] = group * prefixBlocks + block
    if (prefixBlocks === blocks) runLength[first + blocks - 1] = partial
    runOffsets[request + 1] = first + prefixBlocks
  }
  return { runOffsets, runValue, runLength, distinctValues: groups * prefixBlocks, uniformRunLength: blockSize }
}

function checkSynthetic(options: SyntheticOptions): void {
  whole('input tokens', options.inputTokens, 1)
  whole('output tokens', options.outputTokens, 0)
  whole('request count', options.requestCount, 1)
  whole('turns per session', options.turnsPerSession ?? 1, 1)
  whole('number of prefix groups', options.numPrefixGroups ?? 0, 0)
  whole('block size', options.blockSize ?? 64, 1)
  if (options.requestCount * (options.turnsPerSession ?? 1) > 50_000_000) {
    refuse('too-many-requests', 'more than 50,000,000 requests', 'use fewer requests or turns')
  }
  const ratio = options.sharedPrefixRatio ?? 0
  if (!(ratio >= 0 && ratio <= 1)) refuse('invalid-shared-prefix-ratio', `shared prefix ratio ${ratio} is outside 0…1`)
  positive('arrival speed-up ratio', options.arrivalSpeedupRatio ?? 1)
  const delay = options.interTurnDelayMs ?? 0
  if (!(delay >= 0 && Number.isFinite(delay)))
    refuse('invalid-delay', `inter-turn delay ${delay} ms is not a number ≥ 0`)
  const { concurrency, requestRatePerSecond, arrivalIntervalMs } = options
  const given = [concurrency, requestRatePerSecond, arrivalIntervalMs].filter((value) => value !== undefined).length
  if (given !== 1) {
    const hint = 'give exactly one of concurrency, request rate and arrival interval'
    refuse('ambiguous-load', given === 0 ? 'no load is given' : `${given} ways to offer the load are given`, hint)
  }
  if (concurrency !== undefined) whole('concurrency', concurrency, 1)
  if (requestRatePerSecond !== undefined) positive('request rate', requestRatePerSecond)
  if (arrivalIntervalMs !== undefined && !(arrivalIntervalMs >= 0 && Number.isFinite(arrivalIntervalMs))) {
    refuse('invalid-interval', `arrival interval ${arrivalIntervalMs} ms is not a number ≥ 0`)
  }
  const { arrivalSeed } = options
  if (arrivalSeed !== undefined && !(Number.isSafeInteger(arrivalSeed) && arrivalSeed >= 0)) {
    refuse('invalid-seed', `arrival seed ${arrivalSeed} is not a whole number ≥ 0`)
  }
}

function whole(name: string, value: number, least: number): void {
  if (Number.isInteger(value) && value >= least && value <= 0x7fffffff) return
  refuse('invalid-synthetic-load', `${name} ${value} is not a whole number ≥ ${least}`)
}

function positive(name: string, value: number): void {
  if (value > 0 && Number.isFinite(value)) return
  refuse('invalid-synthetic-load', `${name} ${value} is not a positive number`)
}

function refuse(code: string, message: string, hint?: string): never {
  throw new SpicaError('input', code, message, hint === undefined ? {} : { hint })
}
