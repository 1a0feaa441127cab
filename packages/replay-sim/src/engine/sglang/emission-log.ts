import type { TokenLog } from '../../report/token-log.js'
import { IntegerColumn } from '../../workload/growable-column.js'
import type { LazySequence } from './lazy-sequence.js'

/**
 * Stamps tokens and pools gaps an emission at a time: all sequences that also had a token in the emission before share
 * one gap. Remembers which pair each emission went to, so that the gaps of requests that never finish can be taken back.
 */
export class EmissionLog {
  /** End of the last emission, ms. */
  lastEndMs: number = Number.NaN
  private readonly log: TokenLog | null
  /** Whether gaps may have to be taken back; else places in the log are of no interest. */
  private readonly remembers: boolean
  private readonly pairOf: IntegerColumn = new IntegerColumn()
  /** Sequences whose second token comes with the next emission. */
  private awaitingSecond: LazySequence[] = []

  constructor(log: TokenLog | null) {
    this.log = log
    this.remembers = log !== null && !log.gaps.isUnordered
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
        const pair = log.gaps.add(endMs - joiner.lastTokenMs, 1)
        joiner.ownPairs ??= []
        if (this.remembers) joiner.ownPairs.push(pair)
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
    const pair = pooled === 0 ? -1 : log.gaps.add(endMs - this.lastEndMs, pooled)
    if (this.remembers) this.pairOf.push(pair)
    this.lastEndMs = endMs
    if (this.awaitingSecond.length === 0) return
    for (const sequence of this.awaitingSecond) log.secondTokenMs[sequence.request] = endMs
    this.awaitingSecond = []
  }

  /** A sequence leaves the running ones, its last token (if any in this stay) being that of emission `last`. */
  leave(sequence: LazySequence, last: number, lastEndMs: number): void {
    const { log } = this
    if (log === null || sequence.joinedAt > last) return
    sequence.lastTokenMs = lastEndMs
    log.lastTokenMs[sequence.request] = lastEndMs
    log.producedTokens[sequence.request] = sequence.produced
  }

  /** A running sequence is retracted after emission `last`. */
  retract(sequence: LazySequence, last: number): void {
    if (this.log === null || sequence.joinedAt > last) return
    this.leave(sequence, last, this.lastEndMs)
    sequence.stays ??= []
    if (this.remembers) sequence.stays.push(sequence.joinedAt + 1, last)
    const waiting = this.awaitingSecond.indexOf(sequence)
    if (waiting >= 0) this.awaitingSecond.splice(waiting, 1)
  }

  /** Takes back every gap of a sequence that will not finish; its stays are closed. */
  forget(sequence: LazySequence): void {
    const { log } = this
    if (log === null) return
    const { weight } = log.gaps
    for (const pair of sequence.ownPairs ?? []) weight[pair]!--
    const stays = sequence.stays ?? []
    for (let index = 0; index < stays.length; index += 2) {
      for (let emission = stays[index]!; emission <= stays[index + 1]!; emission++) {
        const pair = this.pairOf.values[emission - 1]!
        if (pair >= 0) weight[pair]!--
      }
    }
    sequence.ownPairs = null
    sequence.stays = null
  }
}
