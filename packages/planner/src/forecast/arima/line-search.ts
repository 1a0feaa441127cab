const SUFFICIENT_DECREASE = 1e-3
const CURVATURE = 0.9
const INTERVAL_TOLERANCE = 0.1
const MAX_EVALUATIONS = 20
const MAX_STEP = 1e10

/** Value and slope of the objective along the search direction. */
export type LineFunction = (step: number) => { value: number; slope: number }

/** One end of the interval of uncertainty. */
interface End {
  step: number
  value: number
  slope: number
}

/**
 * Step that meets the strong Wolfe conditions by safeguarded cubic and quadratic interpolation (Moré and Thuente 1994);
 * null when none is found.
 */
export function wolfeStep(line: LineFunction, first: number, value0: number, slope0: number): number | null {
  if (!(slope0 < 0)) return null
  const decrease = SUFFICIENT_DECREASE * slope0
  const best: End = { step: 0, value: value0, slope: slope0 }
  const other: End = { step: 0, value: value0, slope: slope0 }
  let bracketed = false
  let firstStage = true
  let width = MAX_STEP
  let previousWidth = 2 * width
  let lower = 0
  let upper = first + 4 * first
  let step = first
  for (let evaluation = 0; evaluation < MAX_EVALUATIONS; evaluation++) {
    const { value, slope } = line(step)
    const bound = value0 + step * decrease
    if (firstStage && value <= bound && slope >= 0) firstStage = false
    const converged = value <= bound && Math.abs(slope) <= CURVATURE * -slope0
    if (converged) return step
    const stuck = bracketed && (step <= lower || step >= upper || upper - lower <= INTERVAL_TOLERANCE * upper)
    if (stuck || (step >= MAX_STEP && value <= bound && slope <= decrease)) return value <= value0 ? step : null
    const modified = firstStage && value <= best.value && value > bound
    if (modified) {
      for (const end of [best, other]) {
        end.value -= end.step * decrease
        end.slope -= decrease
      }
    }
    const trial = modified ? { step, value: value - step * decrease, slope: slope - decrease } : { step, value, slope }
    ;[step, bracketed] = nextTrial(best, other, trial, bracketed, lower, upper)
    if (modified) {
      for (const end of [best, other]) {
        end.value += end.step * decrease
        end.slope += decrease
      }
    }
    if (bracketed) {
      if (Math.abs(other.step - best.step) >= 0.66 * previousWidth) step = best.step + 0.5 * (other.step - best.step)
      previousWidth = width
      width = Math.abs(other.step - best.step)
      lower = Math.min(best.step, other.step)
      upper = Math.max(best.step, other.step)
    } else {
      lower = step + 1.1 * (step - best.step)
      upper = step + 4 * (step - best.step)
    }
    step = Math.min(MAX_STEP, Math.max(0, step))
    if (bracketed && (step <= lower || step >= upper || upper - lower <= INTERVAL_TOLERANCE * upper)) step = best.step
  }
  return best.step > 0 ? best.step : null
}

/** Updates the interval with a trial point and proposes the next one. */
function nextTrial(
  best: End,
  other: End,
  trial: End,
  wasBracketed: boolean,
  lower: number,
  upper: number,
): [number, boolean] {
  let bracketed = wasBracketed
  const opposite = trial.slope * Math.sign(best.slope) < 0
  let next: number
  if (trial.value > best.value) {
    const cubic = cubicMinimum(best, trial)
    const quadratic =
      best.step +
      (best.slope / ((best.value - trial.value) / (trial.step - best.step) + best.slope) / 2) * (trial.step - best.step)
    next = Math.abs(cubic - best.step) < Math.abs(quadratic - best.step) ? cubic : cubic + (quadratic - cubic) / 2
    bracketed = true
  } else if (opposite) {
    const cubic = cubicMinimum(trial, best)
    const secant = trial.step + (trial.slope / (trial.slope - best.slope)) * (best.step - trial.step)
    next = Math.abs(cubic - trial.step) > Math.abs(secant - trial.step) ? cubic : secant
    bracketed = true
  } else if (Math.abs(trial.slope) < Math.abs(best.slope)) {
    next = extrapolate(best, other, trial, bracketed, lower, upper)
  } else if (bracketed) {
    next = cubicMinimum(trial, other)
  } else {
    next = trial.step > best.step ? upper : lower
  }
  if (trial.value > best.value) Object.assign(other, trial)
  else {
    if (opposite) Object.assign(other, best)
    Object.assign(best, trial)
  }
  return [next, bracketed]
}

function extrapolate(best: End, other: End, trial: End, bracketed: boolean, lower: number, upper: number): number {
  const theta = (3 * (best.value - trial.value)) / (trial.step - best.step) + best.slope + trial.slope
  const scale = Math.max(Math.abs(theta), Math.abs(best.slope), Math.abs(trial.slope))
  let gamma = scale * Math.sqrt(Math.max(0, (theta / scale) ** 2 - (best.slope / scale) * (trial.slope / scale)))
  if (trial.step > best.step) gamma = -gamma
  const ratio = (gamma - trial.slope + theta) / (gamma + (best.slope - trial.slope) + gamma)
  const far = trial.step > best.step ? upper : lower
  const cubic = ratio < 0 && gamma !== 0 ? trial.step + ratio * (best.step - trial.step) : far
  const secant = trial.step + (trial.slope / (trial.slope - best.slope)) * (best.step - trial.step)
  if (!bracketed) {
    const next = Math.abs(cubic - trial.step) > Math.abs(secant - trial.step) ? cubic : secant
    return Math.min(upper, Math.max(lower, next))
  }
  const next = Math.abs(cubic - trial.step) < Math.abs(secant - trial.step) ? cubic : secant
  const limit = trial.step + 0.66 * (other.step - trial.step)
  return trial.step > best.step ? Math.min(limit, next) : Math.max(limit, next)
}

/** Minimiser of the cubic through two ends, measured from the first. */
function cubicMinimum(a: End, b: End): number {
  const theta = (3 * (a.value - b.value)) / (b.step - a.step) + a.slope + b.slope
  const scale = Math.max(Math.abs(theta), Math.abs(a.slope), Math.abs(b.slope))
  let gamma = scale * Math.sqrt(Math.max(0, (theta / scale) ** 2 - (a.slope / scale) * (b.slope / scale)))
  if (b.step < a.step) gamma = -gamma
  return a.step + ((gamma - a.slope + theta) / (gamma - a.slope + gamma + b.slope)) * (b.step - a.step)
}
