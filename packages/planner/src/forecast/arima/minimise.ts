import { wolfeStep } from './line-search.js'

const MEMORY = 12
const GRADIENT_TOLERANCE = 1e-8
const VALUE_TOLERANCE = 100 * Number.EPSILON
/** Step of the forward differences. */
const DIFFERENCE_STEP = 1e-5

export type Objective = (x: Float64Array) => number

/**
 * Limited-memory BFGS (Liu and Nocedal 1989) with forward-difference gradients, for a handful of parameters.
 * @param maxIterations steps at most
 * @returns the last point reached; never worse than the start
 */
export function minimise(objective: Objective, start: Float64Array, maxIterations: number): Float64Array {
  let x = Float64Array.from(start)
  let value = objective(x)
  let gradient = gradientAt(objective, x, value)
  const steps: Float64Array[] = []
  const changes: Float64Array[] = []
  for (let iteration = 0; iteration < maxIterations; iteration++) {
    if (!Number.isFinite(value) || largest(gradient) <= GRADIENT_TOLERANCE) break
    let direction = quasiNewtonDirection(gradient, steps, changes)
    let slope = dot(direction, gradient)
    if (!(slope < 0)) {
      steps.length = changes.length = 0
      direction = gradient.map((g) => -g)
      slope = dot(direction, gradient)
    }
    const first = steps.length === 0 && iteration === 0 ? Math.min(1, 1 / Math.sqrt(dot(direction, direction))) : 1
    let reached = { x, value, gradient }
    const step = wolfeStep(
      (t) => {
        const point = x.map((xi, i) => xi + t * direction[i])
        const pointValue = objective(point)
        const pointGradient = gradientAt(objective, point, pointValue)
        reached = { x: point, value: pointValue, gradient: pointGradient }
        return { value: pointValue, slope: dot(pointGradient, direction) }
      },
      first,
      value,
      slope,
    )
    if (step === null || !(reached.value <= value)) {
      if (steps.length === 0) break
      steps.length = changes.length = 0
      continue
    }
    remember(steps, changes, x, reached.x, gradient, reached.gradient)
    const gain = value - reached.value
    const scale = Math.max(Math.abs(value), Math.abs(reached.value), 1)
    x = reached.x
    value = reached.value
    gradient = reached.gradient
    if (gain <= VALUE_TOLERANCE * scale) break
  }
  return x
}

function gradientAt(objective: Objective, x: Float64Array, value: number): Float64Array {
  const gradient = new Float64Array(x.length)
  const probe = Float64Array.from(x)
  for (let i = 0; i < x.length; i++) {
    probe[i] = x[i] + DIFFERENCE_STEP
    gradient[i] = (objective(probe) - value) / (probe[i] - x[i])
    probe[i] = x[i]
  }
  return gradient
}

function quasiNewtonDirection(
  gradient: Float64Array,
  steps: readonly Float64Array[],
  changes: readonly Float64Array[],
): Float64Array {
  const q = gradient.map((g) => -g)
  const alphas = new Array<number>(steps.length)
  for (let i = steps.length - 1; i >= 0; i--) {
    alphas[i] = dot(steps[i], q) / dot(steps[i], changes[i])
    for (let j = 0; j < q.length; j++) q[j] -= alphas[i] * changes[i][j]
  }
  const last = steps.length - 1
  if (last >= 0) {
    const scale = dot(steps[last], changes[last]) / dot(changes[last], changes[last])
    for (let j = 0; j < q.length; j++) q[j] *= scale
  }
  for (let i = 0; i < steps.length; i++) {
    const beta = dot(changes[i], q) / dot(steps[i], changes[i])
    for (let j = 0; j < q.length; j++) q[j] += (alphas[i] - beta) * steps[i][j]
  }
  return q
}

function remember(
  steps: Float64Array[],
  changes: Float64Array[],
  from: Float64Array,
  to: Float64Array,
  gradientFrom: Float64Array,
  gradientTo: Float64Array,
): void {
  const step = to.map((value, i) => value - from[i])
  const change = gradientTo.map((value, i) => value - gradientFrom[i])
  if (dot(step, change) <= Number.EPSILON * Math.abs(dot(gradientFrom, step))) return
  steps.push(step)
  changes.push(change)
  if (steps.length > MEMORY) {
    steps.shift()
    changes.shift()
  }
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i]
  return sum
}

function largest(values: Float64Array): number {
  return values.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
}
