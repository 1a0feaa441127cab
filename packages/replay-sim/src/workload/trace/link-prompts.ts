import { IntegerColumn } from '../growable-column.js'
import type { Timing } from './link-sessions.js'
import type { TraceProblemList } from './trace-problem.js'
import type { TraceRows } from './trace-rows.js'

/** Prompt content in the columns of `Workload`. */
export interface Prompts {
  readonly inputTokens: Int32Array
  readonly runOffsets: Uint32Array
  readonly runValue: Int32Array
  readonly runLength: Int32Array
  readonly distinctValues: number
  readonly uniformRunLength: number
}

export interface PromptOptions {
  readonly traceBlockSize: number
  /** Weka hashes full blocks only: tokens beyond the ids belong to the prompt. */
  readonly idsCoverFullBlocksOnly: boolean
}

/** Turns each row's hash ids into runs of tokens, clamping lengths to what the ids cover. */
export function linkPrompts(rows: TraceRows, problems: TraceProblemList, options: PromptOptions): Prompts {
  const { count } = rows
  const { traceBlockSize } = options
  const inputTokens = new Int32Array(count)
  const runOffsets = new Uint32Array(count + 1)
  const runValue = new IntegerColumn(rows.hashes.length + 1)
  const runLength = new IntegerColumn(rows.hashes.length + 1)
  for (let row = 0; row < count; row++) {
    inputTokens[row] = usableLength(rows, problems, row, options)
    const first = rows.hashStart(row)
    const runs = usedIds(rows, row, inputTokens[row]!, traceBlockSize)
    for (let index = 0; index < runs; index++) {
      runValue.push(rows.hashes.values[first + index]!)
      runLength.push(Math.min(traceBlockSize, inputTokens[row]! - index * traceBlockSize))
    }
    runOffsets[row + 1] = runValue.length
  }
  return {
    inputTokens,
    runOffsets,
    runValue: runValue.toArray(),
    runLength: runLength.toArray(),
    distinctValues: rows.hashTable.size,
    uniformRunLength: traceBlockSize,
  }
}

/**
 * Like `linkPrompts` for mooncake-delta: a turn's prompt is the previous turn's prompt, that turn's output and the row's own
 * tokens.
 */
export function linkGrowingPrompts(
  rows: TraceRows,
  problems: TraceProblemList,
  options: PromptOptions,
  timing: Timing,
  outputTokens: Int32Array,
): Prompts {
  const own = linkPrompts(rows, problems, options)
  const { count } = rows
  const previous = new Int32Array(count).fill(-1)
  for (let row = 0; row < count; row++) if (timing.nextTurn[row] !== -1) previous[timing.nextTurn[row]!] = row
  const inputTokens = own.inputTokens.slice()
  const runOffsets = new Uint32Array(count + 1)
  const runValue = new IntegerColumn(own.runValue.length + 1)
  const runLength = new IntegerColumn(own.runLength.length + 1)
  let distinctValues = own.distinctValues
  const copy = (values: Int32Array, lengths: Int32Array, from: number, to: number): number => {
    let tokens = 0
    for (let at = from; at < to; at++) {
      const value = values[at]!
      const length = lengths[at]!
      runValue.push(value)
      runLength.push(length)
      tokens += length
    }
    return tokens
  }
  for (let row = 0; row < count; row++) {
    const before = previous[row]!
    if (before !== -1) {
      copy(runValue.values, runLength.values, runOffsets[before]!, runOffsets[before + 1]!)
      if (outputTokens[before]! > 0) {
        runValue.push(-1 - before)
        runLength.push(outputTokens[before]!)
      }
      inputTokens[row] = inputTokens[before]! + outputTokens[before]! + own.inputTokens[row]!
    }
    const covered = copy(own.runValue, own.runLength, own.runOffsets[row]!, own.runOffsets[row + 1]!)
    const rest = own.inputTokens[row]! - covered
    if (rest > 0 && timing.nextTurn[row] !== -1) {
      runValue.push(distinctValues++)
      runLength.push(rest)
    }
    runOffsets[row + 1] = runValue.length
  }
  return {
    inputTokens,
    runOffsets,
    runValue: runValue.toArray(),
    runLength: runLength.toArray(),
    distinctValues,
    uniformRunLength: 0,
  }
}

function usedIds(rows: TraceRows, row: number, inputTokens: number, traceBlockSize: number): number {
  const ids = rows.hashEnds.values[row]! - rows.hashStart(row)
  return Math.min(ids, Math.ceil(inputTokens / traceBlockSize))
}

function usableLength(rows: TraceRows, problems: TraceProblemList, row: number, options: PromptOptions): number {
  const { traceBlockSize } = options
  const line = rows.lines.values[row]!
  const length = rows.inputTokens.values[row]!
  const ids = rows.hashEnds.values[row]! - rows.hashStart(row)
  if (length === 0) {
    problems.add('warning', line, 'empty-prompt', 'input_length is 0', { hint: 'replayed as a prompt of one token' })
    return 1
  }
  if (ids === 0) return length
  const covered = ids * traceBlockSize
  if (length > covered && !options.idsCoverFullBlocksOnly) {
    problems.add(
      'warning',
      line,
      'clamped-to-hash-ids',
      `input_length ${length} is more than ${ids} hash id${ids === 1 ? '' : 's'} of ${traceBlockSize} tokens cover`,
      {
        hint: `replayed as ${covered} tokens; check the trace block size, or list the missing hash ids`,
      },
    )
    return covered
  }
  const needed = Math.ceil(length / traceBlockSize)
  if (ids > needed) {
    problems.add('warning', line, 'extra-hash-ids', `${ids} hash ids for ${length} tokens, ${needed} would do`, {
      hint: 'the last ones are left out; check the trace block size',
    })
  }
  return length
}
