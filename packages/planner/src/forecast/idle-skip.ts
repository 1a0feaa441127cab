import type { Forecaster } from '@spica/schema/core'

/**
 * Drops zeros until the first value that is not zero: a service that has not opened yet is not idle. NaN counts as zero. Later
 * zeros are kept. `accept` is called with kept values only.
 */
export abstract class IdleSkippingForecaster implements Forecaster {
  abstract readonly minPoints: number
  private opened = false
  private last = 0

  add(value: number): void {
    const point = Number.isNaN(value) ? 0 : value
    if (!this.opened && point === 0) return
    this.opened = true
    this.last = point
    this.accept(point)
  }

  /** Newest kept value; 0 before the first. */
  protected get lastValue(): number {
    return this.last
  }

  protected abstract accept(value: number): void
  abstract predictNext(): number
}
