import type { Workload } from '../../workload/workload.js'

/**
 * Token-level equality of request sequences (prompt, then generated tokens), compared a run at a time. Tokens of a prompt
 * beyond its runs and generated tokens are unique to their request; mooncake-delta prompts refer to the latter.
 */
export class TokenContent {
  /** Whether prompts may contain tokens that other requests generated. */
  readonly hasReferencedOutputs: boolean
  private readonly workload: Workload
  private readonly uniform: number
  /** Start of each run in its prompt; null when all runs have one length. */
  private readonly runStart: Int32Array | null

  constructor(workload: Workload) {
    this.workload = workload
    this.hasReferencedOutputs = workload.uniformRunLength === 0 && workload.runValue.some((value) => value < 0)
    this.uniform = workload.uniformRunLength
    this.runStart = this.uniform > 0 ? null : startsOfRuns(workload)
  }

  /** Leading tokens of a prompt that runs describe; beyond them it is unique. */
  coveredTokens(request: number): number {
    const { runOffsets, runLength, inputTokens } = this.workload
    const first = runOffsets[request]!
    const end = runOffsets[request + 1]!
    if (first === end) return 0
    const last = this.runStart === null ? (end - 1 - first) * this.uniform : this.runStart[end - 1]!
    return Math.min(inputTokens[request]!, last + runLength[end - 1]!)
  }

  /** Pages of a request that some other prompt may contain. */
  sharablePages(request: number, pageSize: number): number {
    if (this.hasReferencedOutputs) return Number.POSITIVE_INFINITY
    return Math.floor(this.workload.inputTokens[request]! / pageSize)
  }

  /** Key under which sequences that agree on the token at `position` may be found; requests' own tokens give keys of their own. */
  keyAt(request: number, position: number): number {
    const run = this.runAt(request, position)
    return run === -1 ? -1 - request : this.workload.runValue[run]!
  }

  /** Number of equal tokens of two sequences from `from` up to `to`. */
  commonTokens(a: number, b: number, from: number, to: number): number {
    if (a === b) return to - from
    const { runValue } = this.workload
    let position = from
    while (position < to) {
      const runA = this.runAt(a, position)
      const runB = this.runAt(b, position)
      if (runA === -1 || runB === -1) return position - from + this.generatedMatch(a, runA, b, runB, position, to)
      const value = runValue[runA]!
      if (value !== runValue[runB]) return position - from + this.generatedMatch(a, runA, b, runB, position, to)
      if (value < 0 && position - this.startOf(a, runA) !== position - this.startOf(b, runB)) return position - from
      position = Math.min(to, this.endOf(a, runA), this.endOf(b, runB))
    }
    return to - from
  }

  /** A prompt's run of another request's generated tokens may meet that request's own sequence. */
  private generatedMatch(a: number, runA: number, b: number, runB: number, position: number, to: number): number {
    const { inputTokens, runValue } = this.workload
    if (runA === -1 && runB !== -1) return this.generatedMatch(b, runB, a, runA, position, to)
    if (runA === -1 || runB !== -1) return 0
    const generator = -1 - runValue[runA]!
    if (generator !== b || position < inputTokens[b]!) return 0
    if (position - this.startOf(a, runA) !== position - inputTokens[b]!) return 0
    return Math.min(to, this.endOf(a, runA)) - position
  }

  /** Run that holds a position, −1 for the request's own tokens. */
  private runAt(request: number, position: number): number {
    const { runOffsets, inputTokens, runLength } = this.workload
    const first = runOffsets[request]!
    const end = runOffsets[request + 1]!
    if (first === end || position >= inputTokens[request]!) return -1
    if (this.runStart === null) {
      const run = first + Math.floor(position / this.uniform)
      if (run >= end) return -1
      return position < (run - first) * this.uniform + runLength[run]! ? run : -1
    }
    let low = first
    let high = end - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.runStart[middle]! <= position) low = middle
      else high = middle - 1
    }
    return position < this.runStart[low]! + runLength[low]! ? low : -1
  }

  private startOf(request: number, run: number): number {
    if (this.runStart !== null) return this.runStart[run]!
    return (run - this.workload.runOffsets[request]!) * this.uniform
  }

  private endOf(request: number, run: number): number {
    return this.startOf(request, run) + this.workload.runLength[run]!
  }
}

function startsOfRuns(workload: Workload): Int32Array {
  const { count, runOffsets, runLength } = workload
  const starts = new Int32Array(runLength.length)
  for (let request = 0; request < count; request++) {
    let start = 0
    for (let run = runOffsets[request]!; run < runOffsets[request + 1]!; run++) {
      starts[run] = start
      start += runLength[run]!
    }
  }
  return starts
}
