/** Mean of the newest values, at most `window` of them; zeros before the first non-zero value do not count. */
export class RunningMean {
  private readonly values: number[] = []
  private started = false

  constructor(private readonly window: number) {}

  add(value: number): void {
    if (!this.started && value <= 0) return
    this.started = true
    this.values.push(Math.max(0, value))
    if (this.values.length > this.window) this.values.shift()
  }

  /** 0 before the first value. */
  get value(): number {
    if (this.values.length === 0) return 0
    return this.values.reduce((sum, value) => sum + value, 0) / this.values.length
  }
}
