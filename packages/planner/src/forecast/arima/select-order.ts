import { ArimaModel } from './arima-model.js'
import type { ArimaOrder } from './arima-order.js'
import { difference, differencingOrder, isConstant } from './kpss.js'

const MAX_LAGS = 5
const START_LAGS = 2
/** Series shorter than this start the search at one lag. */
const SHORT_SERIES = 10
const FIRST_FIT_ITERATIONS = 50
const MAX_FITS = 100
/** A model with an inverse root beyond this is too close to non-stationary or non-invertible to be chosen. */
const ROOT_LIMIT = 0.99

interface Fitted {
  readonly model: ArimaModel
  readonly aic: number
}

/** Moves of the search around the best model: changes of (p, q), tried in this order. */
const MOVES: readonly (readonly [number, number])[] = [
  [-1, 0],
  [0, -1],
  [1, 0],
  [0, 1],
  [-1, -1],
  [-1, 1],
  [1, -1],
  [1, 1],
]

/**
 * Chooses an ARIMA order stepwise by AIC (Hyndman and Khandakar 2008): d by KPSS tests; a start of a few models; then one step
 * in p, q or the constant at a time while the criterion falls. null when no model can be fitted.
 */
export function selectArima(series: readonly number[]): ArimaModel | null {
  const d = differencingOrder(series)
  let differenced = [...series]
  for (let i = 0; i < d; i++) differenced = difference(differenced)
  if (isConstant(series) || isConstant(differenced)) {
    const intercept = !isConstant(series)
    return fitOrder(series, { p: 0, d, q: 0, intercept })?.model ?? null
  }
  return new StepwiseSearch(series, d).run()
}

function fitOrder(series: readonly number[], order: ArimaOrder): Fitted | null {
  const model = new ArimaModel(order, series, FIRST_FIT_ITERATIONS)
  const aic = model.nearestInverseRoot > ROOT_LIMIT ? Number.POSITIVE_INFINITY : model.aic(series)
  return Number.isFinite(aic) ? { model, aic } : null
}

class StepwiseSearch {
  private readonly tried = new Map<string, Fitted | null>()
  private readonly maxLags: number
  private best: Fitted | null = null
  private intercept: boolean
  private p = 0
  private q = 0

  constructor(
    private readonly series: readonly number[],
    private readonly d: number,
  ) {
    this.maxLags = Math.min(MAX_LAGS, Math.floor(series.length / 3))
    this.intercept = d < 2
  }

  run(): ArimaModel | null {
    const start = Math.min(this.series.length < SHORT_SERIES ? 1 : START_LAGS, this.maxLags)
    this.p = this.q = start
    this.improves(start, start, this.intercept)
    if (this.improves(0, 0, this.intercept)) this.moveTo(0, 0)
    const one = Math.min(1, this.maxLags)
    if (one > 0) {
      if (this.improves(one, 0, this.intercept)) this.moveTo(one, 0)
      if (this.improves(0, one, this.intercept)) this.moveTo(0, one)
    }
    if (this.intercept && this.improves(0, 0, false)) this.moveTo(0, 0)
    let before = 0
    while (before < this.tried.size && this.tried.size < MAX_FITS) {
      before = this.tried.size
      this.step()
    }
    return this.lowest()
  }

  private moveTo(p: number, q: number): void {
    this.p = p
    this.q = q
  }

  private step(): void {
    for (const [dp, dq] of MOVES) {
      const p = this.p + dp
      const q = this.q + dq
      if (p < 0 || q < 0 || p > this.maxLags || q > this.maxLags) continue
      if (this.improves(p, q, this.intercept)) {
        this.moveTo(p, q)
        return
      }
    }
    if (this.improves(this.p, this.q, !this.intercept)) this.intercept = !this.intercept
  }

  /** Fits an order not tried yet; true when it is the best so far. */
  private improves(p: number, q: number, intercept: boolean): boolean {
    const key = `${p},${q},${intercept}`
    if (this.tried.has(key) || this.tried.size >= MAX_FITS) return false
    const fitted = fitOrder(this.series, { p, d: this.d, q, intercept })
    this.tried.set(key, fitted)
    if (fitted === null || (this.best !== null && fitted.aic >= this.best.aic)) return false
    this.best = fitted
    return true
  }

  private lowest(): ArimaModel | null {
    return this.best?.model ?? null
  }
}
