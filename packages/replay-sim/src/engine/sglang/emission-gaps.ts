const FIRST_CAPACITY = 1 << 12

/** Gap that each emission ended, ms, as far back as some unfinished sequence reaches. Emissions count from 1. */
export class EmissionGaps {
  private values: Float64Array = new Float64Array(FIRST_CAPACITY)
  private length: number = 0
  /** Emission of `values[0]`. */
  private first: number = 1
  private readonly oldestNeeded: () => number

  /** @param oldestNeeded first emission that may still be asked for */
  constructor(oldestNeeded: () => number) {
    this.oldestNeeded = oldestNeeded
  }

  /** The gap of the next emission. */
  push(gapMs: number): void {
    if (this.length === this.values.length) this.makeRoom()
    this.values[this.length++] = gapMs
  }

  at(emission: number): number {
    return this.values[emission - this.first]!
  }

  private makeRoom(): void {
    const dropped = Math.min(this.length, Math.max(0, this.oldestNeeded() - this.first))
    this.values.copyWithin(0, dropped, this.length)
    this.length -= dropped
    this.first += dropped
    if (this.length * 2 <= this.values.length) return
    const larger = new Float64Array(this.values.length * 2)
    larger.set(this.values)
    this.values = larger
  }
}
