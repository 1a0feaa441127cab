import { IdleSkippingForecaster } from './idle-skip.js'

/** The next value is the last one. */
export class ConstantForecaster extends IdleSkippingForecaster {
  readonly minPoints = 1

  protected accept(): void {}

  predictNext(): number {
    return this.lastValue
  }
}
