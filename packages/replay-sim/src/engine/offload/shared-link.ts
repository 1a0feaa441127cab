/** One transfer on a link. */
interface Transfer {
  readonly tag: number
  bytesLeft: number
}

/** A link whose bandwidth is divided equally among the transfers on it at any moment (processor sharing). */
export class SharedLink {
  private readonly bytesPerMs: number
  private transfers: Transfer[] = []
  private nowMs: number = 0

  /** @param gigabytesPerSecond bandwidth, 10^9 bytes a second */
  constructor(gigabytesPerSecond: number) {
    this.bytesPerMs = gigabytesPerSecond * 1e6
  }

  get active(): number {
    return this.transfers.length
  }

  /** When the first transfer will end if no other starts; Infinity when there is none. */
  get deadlineMs(): number {
    if (this.transfers.length === 0) return Number.POSITIVE_INFINITY
    let least = Number.POSITIVE_INFINITY
    for (const transfer of this.transfers) if (transfer.bytesLeft < least) least = transfer.bytesLeft
    return this.nowMs + (least * this.transfers.length) / this.bytesPerMs
  }

  /** Starts a transfer at `nowMs`; what ended before must have been collected. */
  start(nowMs: number, bytes: number, tag: number): void {
    this.progress(nowMs)
    this.transfers.push({ tag, bytesLeft: bytes })
  }

  /** Tags of the transfers that end by `nowMs`, in order of their ends (ties: of their starts). */
  collect(nowMs: number): number[] {
    const ended: number[] = []
    while (this.transfers.length > 0 && this.deadlineMs <= nowMs) {
      const deadline = this.deadlineMs
      let least = Number.POSITIVE_INFINITY
      for (const transfer of this.transfers) least = Math.min(least, transfer.bytesLeft)
      for (const transfer of this.transfers) {
        transfer.bytesLeft -= least
        if (transfer.bytesLeft <= 0) ended.push(transfer.tag)
      }
      this.transfers = this.transfers.filter((transfer) => transfer.bytesLeft > 0)
      this.nowMs = deadline
    }
    this.progress(nowMs)
    return ended
  }

  private progress(nowMs: number): void {
    if (nowMs <= this.nowMs) return
    const share = ((nowMs - this.nowMs) * this.bytesPerMs) / Math.max(1, this.transfers.length)
    for (const transfer of this.transfers) transfer.bytesLeft = Math.max(0, transfer.bytesLeft - share)
    this.nowMs = nowMs
  }
}
