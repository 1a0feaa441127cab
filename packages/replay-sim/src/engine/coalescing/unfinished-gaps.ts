import type { GapLog } from '../../report/gap-log.js'

/**
 * Which pooled gaps belong to requests that have not finished, so that they can be taken back: only kept when some request may
 * be rejected half-way or the run may be cut off.
 */
export class UnfinishedGaps {
  private readonly log: GapLog
  /** Log index of each gap all decoding members had, in order. */
  private readonly common: number[] = []
  private readonly joined = new Map<number, number>()
  private readonly single = new Map<number, number[]>()

  constructor(log: GapLog) {
    this.log = log
  }

  /** All decoding members had the gap at `index`. */
  shared(index: number): void {
    this.common.push(index)
  }

  /** One request had the gap at `index`. */
  alone(request: number, index: number): void {
    const list = this.single.get(request)
    if (list === undefined) this.single.set(request, [index])
    else list.push(index)
  }

  join(request: number): void {
    this.joined.set(request, this.common.length)
  }

  leave(request: number): void {
    const from = this.joined.get(request)
    if (from === undefined) return
    this.joined.delete(request)
    for (let k = from; k < this.common.length; k++) this.alone(request, this.common[k]!)
  }

  finished(request: number): void {
    this.joined.delete(request)
    this.single.delete(request)
  }

  /** The request will never finish. */
  drop(request: number): void {
    this.leave(request)
    for (const index of this.single.get(request) ?? []) this.log.weight[index] = this.log.weight[index]! - 1
    this.single.delete(request)
  }

  dropAll(): void {
    for (const request of [...this.joined.keys()]) this.drop(request)
    for (const request of [...this.single.keys()]) this.drop(request)
  }
}
