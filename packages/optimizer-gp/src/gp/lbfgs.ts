/** Result of a minimisation. */
export interface Minimum {
  readonly x: Float64Array
  readonly value: number
  readonly evaluations: number
}

const MEMORY = 7

function dot(a: Float64Array, b: Float64Array): number {
  let s = 0
  for (let i = 0; i < a.length; i++) s += a[i]! * b[i]!
  return s
}

/**
 * L-BFGS with a backtracking line search, inside a box. `evaluate` returns the value and fills the gradient;
 * `Infinity` marks points to step back from. Stops after `maxEvaluations`, or when the projected gradient is small.
 * `firstStep` is the length of the first step in the largest coordinate.
 */
export function minimizeLbfgs(
  evaluate: (x: Float64Array, gradient: Float64Array) => number,
  start: Float64Array,
  lower: Float64Array,
  upper: Float64Array,
  maxEvaluations: number,
  tolerance = 1e-3,
  firstStep = 1,
): Minimum {
  const n = start.length
  const clip = (v: number, i: number): number => Math.min(upper[i]!, Math.max(lower[i]!, v))
  let x = Float64Array.from(start, clip)
  let gradient = new Float64Array(n)
  let value = evaluate(x, gradient)
  let evaluations = 1
  const steps: Float64Array[] = []
  const changes: Float64Array[] = []
  const direction = new Float64Array(n)
  const alphas = new Float64Array(MEMORY)
  while (evaluations < maxEvaluations && Number.isFinite(value)) {
    const fixed = (i: number): boolean =>
      (x[i]! <= lower[i]! && gradient[i]! > 0) || (x[i]! >= upper[i]! && gradient[i]! < 0)
    let largest = 0
    for (let i = 0; i < n; i++) {
      direction[i] = fixed(i) ? 0 : -gradient[i]!
      largest = Math.max(largest, Math.abs(direction[i]!))
    }
    if (largest < tolerance) break
    for (let k = steps.length - 1; k >= 0; k--) {
      alphas[k] = dot(steps[k]!, direction) / dot(steps[k]!, changes[k]!)
      for (let i = 0; i < n; i++) direction[i]! -= alphas[k]! * changes[k]![i]!
    }
    const last = steps.length - 1
    const scale =
      last < 0
        ? firstStep / Math.max(1, largest)
        : dot(steps[last]!, changes[last]!) / dot(changes[last]!, changes[last]!)
    for (let i = 0; i < n; i++) direction[i]! *= scale
    for (let k = 0; k < steps.length; k++) {
      const beta = alphas[k]! - dot(changes[k]!, direction) / dot(steps[k]!, changes[k]!)
      for (let i = 0; i < n; i++) direction[i]! += beta * steps[k]![i]!
    }
    for (let i = 0; i < n; i++) if (fixed(i)) direction[i] = 0
    let slope = dot(direction, gradient)
    if (!(slope < 0)) {
      for (let i = 0; i < n; i++) direction[i] = fixed(i) ? 0 : -gradient[i]!
      slope = dot(direction, gradient)
      steps.length = 0
      changes.length = 0
    }
    let longest = 0
    for (let i = 0; i < n; i++) longest = Math.max(longest, Math.abs(direction[i]!))
    let step = longest > 2 ? 2 / longest : 1
    let moved = false
    while (evaluations < maxEvaluations) {
      const trial = Float64Array.from(x, (v, i) => clip(v + step * direction[i]!, i))
      const trialGradient = new Float64Array(n)
      const trialValue = evaluate(trial, trialGradient)
      evaluations++
      if (trialValue <= value + 1e-4 * step * slope) {
        const s = trial.map((v, i) => v - x[i]!)
        const g = trialGradient.map((v, i) => v - gradient[i]!)
        if (dot(s, g) > 1e-10 * dot(g, g)) {
          steps.push(s)
          changes.push(g)
          if (steps.length > MEMORY) {
            steps.shift()
            changes.shift()
          }
        }
        moved = value - trialValue > 1e-9 * Math.max(1, Math.abs(value))
        x = trial
        gradient = trialGradient
        value = trialValue
        break
      }
      const curvature = 2 * (trialValue - value - step * slope)
      const guess = Number.isFinite(curvature) && curvature > 0 ? (-slope * step * step) / curvature : 0
      step = Math.min(0.5 * step, Math.max(0.1 * step, guess))
      if (step < 1e-8) break
    }
    if (!moved) break
  }
  return { x, value, evaluations }
}
