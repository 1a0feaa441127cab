import type { PassMetrics } from '../engine.js'
import { knownTokens, type Sequence } from './sequence.js'

/** Double-ended queue that keeps the sums planners want. Sequences do not change while they wait. */
export class WaitingQueue<S extends Sequence> {
  length: number = 0
  private ring: (S | undefined)[] = new Array(64)
  private head: number = 0
  private freshCount: number = 0
  private freshTokens: number = 0
  private freshSquares: number = 0
  private retractedCount: number = 0
  private retractedTokens: number = 0
  private retractedSquares: number = 0

  at(index: number): S | undefined {
    return index < this.length ? this.ring[(this.head + index) & (this.ring.length - 1)] : undefined
  }

  pushBack(sequence: S): void {
    if (this.length === this.ring.length) this.grow()
    this.ring[(this.head + this.length++) & (this.ring.length - 1)] = sequence
    this.count(sequence, 1)
  }

  pushFront(sequence: S): void {
    if (this.length === this.ring.length) this.grow()
    this.head = (this.head - 1) & (this.ring.length - 1)
    this.ring[this.head] = sequence
    this.length++
    this.count(sequence, 1)
  }

  popFront(): S | undefined {
    if (this.length === 0) return undefined
    const sequence = this.ring[this.head]!
    this.ring[this.head] = undefined
    this.head = (this.head + 1) & (this.ring.length - 1)
    this.length--
    this.count(sequence, -1)
    return sequence
  }

  /** Reorders in place; the callback gets the queue in order. */
  reorder(sort: (sequences: S[]) => void): void {
    const sequences: S[] = []
    for (let index = 0; index < this.length; index++) sequences.push(this.at(index)!)
    sort(sequences)
    for (let index = 0; index < this.length; index++) {
      this.ring[(this.head + index) & (this.ring.length - 1)] = sequences[index]
    }
  }

  record(metrics: PassMetrics): void {
    metrics.queuedPrefillCount = this.freshCount
    metrics.queuedPrefillTokens = this.freshTokens
    metrics.queuedPrefillSquares = this.freshSquares
    metrics.queuedDecodeCount = this.retractedCount
    metrics.queuedDecodeKvTokens = this.retractedTokens
    metrics.queuedDecodeKvSquares = this.retractedSquares
  }

  private count(sequence: S, sign: number): void {
    if (sequence.fresh) {
      const tokens = sequence.promptTokens
      this.freshCount += sign
      this.freshTokens += sign * tokens
      this.freshSquares += sign * tokens * tokens
    } else {
      const tokens = knownTokens(sequence)
      this.retractedCount += sign
      this.retractedTokens += sign * tokens
      this.retractedSquares += sign * tokens * tokens
    }
  }

  private grow(): void {
    const ring: (S | undefined)[] = new Array(this.ring.length * 2)
    for (let index = 0; index < this.length; index++) ring[index] = this.at(index)
    this.ring = ring
    this.head = 0
  }
}
