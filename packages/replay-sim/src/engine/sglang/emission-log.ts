import type { TokenLog } from '../../report/token-log.js'
import { EmissionGaps } from './emission-gaps.js'
import type { LazySequence } from './lazy-sequence.js'

/**
 * Stamps tokens and pools gaps an emission at a time: all sequences that also had a token in the emission before share
 * one gap. Gaps of sequences that never finish are taken back with negative weights.
 */
export class EmissionLog {
  /** End of the last emission, ms. */
  lastEndMs: number = Number.NaN
  private readonly log: TokenLog | null
  private readonly gaps: EmissionGaps
  /** Unfinished sequences that were retracted before. */
  private readonly returning: Set<LazySequence> = new Set()
  /** Sequences whose second token comes with the next emission. */
  private awaitingSecond: LazySequence[] = []

  /** @param oldestJoined emission at which the longest running sequence joined, Infinity when none runs */
  constructor(log: TokenLog | null, oldestJoined: () => number) {
    this.log = log
    this.gaps = new EmissionGaps(() => {
      let oldest = oldestJoined()
      for (const sequence of this.returning) oldest = Math.min(oldest, sequence.stays![0]!)
      return oldest
    })
  }

  /** An emission that ended at `endMs`: `pooled` sequences continue, `joiners` have their first token of this stay. */
  emission(endMs: number, pooled: number, joiners: readonly LazySequence[]): void {
    const { log } = this
    if (log === null) return
    this.pool(endMs, pooled)
    for (const joiner of joiners) {
      const { request } = joiner
      if (Number.isNaN(joiner.lastTokenMs)) {
        log.firstTokenMs[request] = endMs
        if (joiner.limit > 1) this.awaitingSecond.push(joiner)
      } else {
        const gap = endMs - joiner.lastTokenMs
        log.gaps.add(gap, 1)
        joiner.ownGaps ??= []
        joiner.ownGaps.push(gap)
        if (Number.isNaN(log.secondTokenMs[request]!)) log.secondTokenMs[request] = endMs
      }
      joiner.lastTokenMs = endMs
    }
  }

  /** Quiet emissions: pass k ends at boundariesMs[first + k]. */
  emissions(count: number, boundariesMs: Float64Array, first: number, pooled: number): void {
    if (this.log === null) return
    for (let k = 0; k < count; k++) this.pool(boundariesMs[first + k]!, pooled)
  }

  private pool(endMs: number, pooled: number): void {
    const log = this.log!
    const gap = endMs - this.lastEndMs
    if (pooled > 0) log.gaps.add(gap, pooled)
    this.gaps.push(gap)
    this.lastEndMs = endMs
    if (this.awaitingSecond.length === 0) return
    for (const sequence of this.awaitingSecond) log.secondTokenMs[sequence.request] = endMs
    this.awaitingSecond = []
  }

  /** A sequence leaves the running ones, its last token (if any in this stay) being that of emission `last`. */
  leave(sequence: LazySequence, last: number, lastEndMs: number): void {
    const { log } = this
    if (log === null || sequence.joinedAt > last) return
    this.returning.delete(sequence)
    sequence.lastTokenMs = lastEndMs
    log.lastTokenMs[sequence.request] = lastEndMs
    log.producedTokens[sequence.request] = sequence.produced
  }

  /** A running sequence is retracted after emission `last`. */
  retract(sequence: LazySequence, last: number): void {
    if (this.log === null || sequence.joinedAt > last) return
    this.leave(sequence, last, this.lastEndMs)
    sequence.stays ??= []
    this.returning.add(sequence)
    sequence.stays.push(sequence.joinedAt + 1, last)
    const waiting = this.awaitingSecond.indexOf(sequence)
    if (waiting >= 0) this.awaitingSecond.splice(waiting, 1)
  }

  /** Takes back every gap of a sequence that will not finish; its stays are closed. */
  forget(sequence: LazySequence): void {
    const { log } = this
    if (log === null) return
    for (const gap of sequence.ownGaps ?? []) log.gaps.add(gap, -1)
    const stays = sequence.stays ?? []
    for (let index = 0; index < stays.length; index += 2) {
      for (let emission = stays[index]!; emission <= stays[index + 1]!; emission++)
        log.gaps.add(this.gaps.at(emission), -1)
    }
    this.returning.delete(sequence)
    sequence.ownGaps = null
    sequence.stays = null
  }
}
