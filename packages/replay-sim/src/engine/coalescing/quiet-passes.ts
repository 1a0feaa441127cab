import { occupancyTiming } from '../occupancy-timing.js'
import { passDurationMs } from '../pass-duration.js'
import type { EngineState } from './engine-state.js'

/** Gap of all decoding members up to a token at `endMs`, and second tokens among them. */
export function recordDecoding(state: EngineState, gapMs: number, endMs: number): void {
  const log = state.context.tokens
  if (log === null) return
  const index = log.gaps.add(gapMs, state.decoding.size)
  state.unfinished?.shared(index)
  if (state.awaitSecond.length === 0) return
  for (const request of state.awaitSecond) log.secondTokenMs[request] = endMs
  state.awaitSecond.length = 0
}

/**
 * Durations of the next passes in which nothing happens but decoding. `overlapIsWatched` ends the plan before a block with an
 * id is evicted, since routers look at those.
 */
export function planQuietPasses(
  state: EngineState,
  overlapIsWatched: boolean,
  durationsMs: Float64Array,
  limit: number,
  spanMs: number,
): number {
  const { decoding, kv, blockSize } = state
  const { settings, perf } = state.context
  const n = decoding.size
  if (n === 0 || state.laggards.length > 0 || n > settings.maxBatchedTokens) return 0
  if (state.waiting.count > 0 && !state.waitingIsStuck) return 0
  const { opening, leadSum } = decoding
  const total = settings.blocks * blockSize
  const dependsOnOccupancyAlone = perf === occupancyTiming
  let room = kv.available
  if (overlapIsWatched && kv.reusable > 0) {
    room = kv.capacity - kv.used + kv.anonymousAhead(n * (1 + Math.ceil(limit / blockSize)))
  }
  let { active } = kv
  let { pass } = decoding
  let residue = pass % blockSize
  let sumMs = 0
  let ms = -1
  let count = 0
  while (count < limit && sumMs < spanMs) {
    if (decoding.endingIn(pass) >= 0) break
    const opened = opening[residue]!
    if (opened > room) break
    if (opened > 0 || ms < 0 || !dependsOnOccupancyAlone) {
      room -= opened
      active += opened
      const context = Math.floor((n * pass + leadSum) / n)
      ms = passDurationMs(perf.decodeMs(n, active * blockSize, context, total), settings.decodeSpeedup)
      if (!(ms > 0)) break
    }
    durationsMs[count++] = ms
    sumMs += ms
    pass++
    if (++residue === blockSize) residue = 0
  }
  return count
}

/** Performs planned passes: blocks, gaps, the pass counter. */
export function commitQuietPasses(state: EngineState, count: number, boundariesMs: Float64Array, offset: number): void {
  const { decoding } = state
  const { opening } = decoding
  let residue = decoding.pass % opening.length
  let opened = 0
  for (let k = 0; k < count; k++) {
    opened += opening[residue]!
    if (++residue === opening.length) residue = 0
  }
  if (opened > 0) state.kv.take(opened)
  if (state.isTrtllm) state.promisedHeld += opened
  const log = state.context.tokens
  if (log !== null) {
    const { gaps } = log
    const members = decoding.size
    recordDecoding(state, boundariesMs[offset + 1]! - boundariesMs[offset]!, boundariesMs[offset + 1]!)
    for (let k = 1; k < count; k++) {
      const index = gaps.add(boundariesMs[offset + k + 1]! - boundariesMs[offset + k]!, members)
      state.unfinished?.shared(index)
    }
  }
  decoding.pass += count - 1
  state.recorder?.quietPassEnds(state)
  decoding.pass++
  state.lastEndMs = boundariesMs[offset + count]!
}
