import { StdRng } from '../random/std-rng.js'
import type { Workload } from '../workload/workload.js'
import { type WorkloadStatistics, workloadStatistics } from '../workload/workload-statistics.js'
import { gammaGap, lengthSampler, zipfSampler } from './random-shapes.js'
import { arrivalTime, cumulativeRate } from './rate-profile.js'
import { checkSynthOptions, type SynthOptions } from './synth-options.js'

const ROWS_PER_CHUNK = 1000
const CALIBRATION_STEPS = 30

export interface SynthesizedTrace {
  /** Mooncake JSONL in pieces. */
  readonly chunks: Iterable<string>
  /** What was reached; compare with what was asked. */
  readonly statistics: WorkloadStatistics
  /** The same requests, ready to replay. */
  readonly workload: Workload
}

/**
 * Generates a trace with the given rate, burstiness, lengths and ideal prefix hit rate. Arrivals are a renewal process
 * with gamma gaps, stretched along the rate profile; timestamps are whole ms. Same options, same bytes.
 */
export function synthesizeTrace(options: SynthOptions): SynthesizedTrace {
  checkSynthOptions(options)
  const { requests } = options
  const rng = new StdRng(options.seed ?? 42)
  const arrivalMs = drawArrivals(rng, options)
  const drawInput = lengthSampler(rng, options.inputTokens, 1)
  const drawOutput = lengthSampler(rng, options.outputTokens, 0)
  const drawGroup = zipfSampler(rng, options.prefixGroups ?? 100, options.zipfExponent ?? 1)
  const inputTokens = new Int32Array(requests)
  const outputTokens = new Int32Array(requests)
  const group = new Int32Array(requests)
  for (let request = 0; request < requests; request++) {
    inputTokens[request] = drawInput()
    outputTokens[request] = drawOutput()
    group[request] = drawGroup()
  }
  const prompts = drawPrompts(options, inputTokens, group)
  const workload: Workload = {
    count: requests,
    inputTokens,
    outputTokens,
    ...prompts,
    arrivalMs,
    session: Int32Array.from({ length: requests }, (_, request) => request),
    turn: new Int32Array(requests),
    delayMs: new Float64Array(requests),
    nextTurn: new Int32Array(requests).fill(-1),
    dependencyOffsets: null,
    dependencies: null,
    priority: null,
    strictPriority: null,
    sessionIds: null,
    requestIds: null,
    origin: 'trace',
  }
  return { chunks: { [Symbol.iterator]: () => chunksOf(workload) }, statistics: workloadStatistics(workload), workload }
}

function drawArrivals(rng: StdRng, options: SynthOptions): Float64Array {
  const { requests, ratePerSecond, burstiness = 1, profile = { kind: 'constant' } } = options
  const lengthSeconds = requests / ratePerSecond
  const toSeconds = arrivalTime(cumulativeRate(profile, lengthSeconds), lengthSeconds)
  const events = new Float64Array(requests)
  let time = 0
  for (let request = 0; request < requests; request++) {
    events[request] = time
    time += gammaGap(rng, burstiness)
  }
  const isConstant = profile.kind === 'constant'
  const scale = isConstant ? 1000 / ratePerSecond : 0
  for (let request = 0; request < requests; request++) {
    const event = events[request]!
    events[request] = Math.round(isConstant ? event * scale : toSeconds(event / time) * 1000)
  }
  const first = events[0]!
  for (let request = 0; request < requests; request++) events[request]! -= first
  return events
}

type PromptColumns = Pick<Workload, 'runOffsets' | 'runValue' | 'runLength' | 'distinctValues' | 'uniformRunLength'>

/** Gives each prompt the leading ids of its group's chain, as large a share as the wanted hit rate needs, then ids of its own. */
function drawPrompts(options: SynthOptions, inputTokens: Int32Array, group: Int32Array): PromptColumns {
  const block = options.traceBlockSize ?? 512
  const groups = options.prefixGroups ?? 100
  const count = inputTokens.length
  const blocks = inputTokens.map((tokens) => Math.ceil(tokens / block))
  const share = calibrateShare(options.idealPrefixHitRate ?? 0, blocks, group, groups)
  const runOffsets = new Uint32Array(count + 1)
  for (let request = 0; request < count; request++) runOffsets[request + 1] = runOffsets[request]! + blocks[request]!
  const runValue = new Int32Array(runOffsets[count]!)
  const runLength = new Int32Array(runOffsets[count]!).fill(block)
  const chains: number[][] = Array.from({ length: groups }, () => [])
  let nextId = 0
  for (let request = 0; request < count; request++) {
    const first = runOffsets[request]!
    const length = blocks[request]!
    const shared = sharedBlocks(share, length)
    const chain = chains[group[request]!]!
    for (let index = 0; index < length; index++) {
      if (index < shared && index >= chain.length) chain.push(nextId++)
      runValue[first + index] = index < shared ? chain[index]! : nextId++
    }
    runLength[first + length - 1] = inputTokens[request]! - (length - 1) * block
  }
  return { runOffsets, runValue, runLength, distinctValues: nextId, uniformRunLength: block }
}

/** Shared blocks of a prompt; its last block is never shared, so that one id always stands for full blocks. */
function sharedBlocks(share: number, blocks: number): number {
  return Math.min(blocks - 1, Math.round(share * blocks))
}

/** Share of each prompt to take from its group so that the ideal hit rate comes closest to the target. */
function calibrateShare(target: number, blocks: Int32Array, group: Int32Array, groups: number): number {
  if (target === 0) return 0
  const hitRate = (share: number): number => {
    const depth = new Int32Array(groups)
    let hits = 0
    let total = 0
    for (let request = 0; request < blocks.length; request++) {
      const shared = sharedBlocks(share, blocks[request]!)
      const seen = depth[group[request]!]!
      hits += Math.min(shared, seen)
      total += blocks[request]!
      if (shared > seen) depth[group[request]!] = shared
    }
    return hits / total
  }
  let low = 0
  let high = 1
  for (let step = 0; step < CALIBRATION_STEPS; step++) {
    const middle = (low + high) / 2
    if (hitRate(middle) < target) low = middle
    else high = middle
  }
  return high
}

function* chunksOf(workload: Workload): Generator<string> {
  const { runOffsets, runValue } = workload
  let lines: string[] = []
  for (let request = 0; request < workload.count; request++) {
    const ids = runValue.subarray(runOffsets[request]!, runOffsets[request + 1]!).join(', ')
    lines.push(
      `{"timestamp": ${workload.arrivalMs[request]}, "input_length": ${workload.inputTokens[request]}, ` +
        `"output_length": ${workload.outputTokens[request]}, "hash_ids": [${ids}]}\n`,
    )
    if (lines.length < ROWS_PER_CHUNK) continue
    yield lines.join('')
    lines = []
  }
  if (lines.length > 0) yield lines.join('')
}
