import { floats, MINIMIZE, type TestProblem, vector } from './test-problem.js'

export function braninValue(a: number, b: number): number {
  const inner = b - (5.1 / (4 * Math.PI ** 2)) * a * a + (5 / Math.PI) * a - 6
  return inner * inner + 10 * (1 - 1 / (8 * Math.PI)) * Math.cos(a) + 10
}

/** Branin: 2 floats, three global minima. */
export const branin: TestProblem = {
  name: 'branin',
  parameters: [
    { name: 'x1', kind: 'float', min: -5, max: 10 },
    { name: 'x2', kind: 'float', min: 0, max: 15 },
  ],
  objectives: MINIMIZE,
  evaluate: (p) => [braninValue(p['x1'] as number, p['x2'] as number)],
  optimum: 0.39788735772973816,
  optimumAt: { x1: Math.PI, x2: 2.275 },
  source: 'Branin 1972; exact',
}

const HARTMANN_ALPHA = [1, 1.2, 3, 3.2]
const HARTMANN_A = [
  [10, 3, 17, 3.5, 1.7, 8],
  [0.05, 10, 17, 0.1, 8, 14],
  [3, 3.5, 1.7, 10, 17, 8],
  [17, 8, 0.05, 10, 0.1, 14],
]
const HARTMANN_P = [
  [1312, 1696, 5569, 124, 8283, 5886],
  [2329, 4135, 8307, 3736, 1004, 9991],
  [2348, 1451, 3522, 2883, 3047, 6650],
  [4047, 8828, 8732, 5743, 1091, 381],
]

/** Hartmann in 6 floats: six local minima. */
export const hartmann6: TestProblem = {
  name: 'hartmann6',
  parameters: floats(6, 0, 1),
  objectives: MINIMIZE,
  evaluate: (p) => {
    const x = vector(p, 6)
    let f = 0
    for (let i = 0; i < 4; i++) {
      let inner = 0
      for (let j = 0; j < 6; j++) inner += HARTMANN_A[i]![j]! * (x[j]! - 1e-4 * HARTMANN_P[i]![j]!) ** 2
      f -= HARTMANN_ALPHA[i]! * Math.exp(-inner)
    }
    return [f]
  },
  optimum: -3.322368011415515,
  optimumAt: { x1: 0.20169, x2: 0.150011, x3: 0.476874, x4: 0.275332, x5: 0.311652, x6: 0.6573 },
  source: 'Hartmann 1973; minimum by descent to machine precision',
}

const ACKLEY_SHIFT = [3.1, -7.4, 11.2, -2.6, 5.9, -13.3, 8.7, 0.9, -5.2, 6.4]

/** Ackley in 10 floats, shifted off the centre and rotated by 30° in pairs of coordinates. */
export const ackley10ShiftedRotated: TestProblem = {
  name: 'ackley10sr',
  parameters: floats(10, -32.768, 32.768),
  objectives: MINIMIZE,
  evaluate: (p) => {
    const z = vector(p, 10).map((v, i) => v - ACKLEY_SHIFT[i]!)
    const c = Math.cos(Math.PI / 6)
    const s = Math.sin(Math.PI / 6)
    let squares = 0
    let waves = 0
    for (let k = 0; k < 10; k += 2) {
      for (const y of [c * z[k]! - s * z[k + 1]!, s * z[k]! + c * z[k + 1]!]) {
        squares += y * y
        waves += Math.cos(2 * Math.PI * y)
      }
    }
    return [-20 * Math.exp(-0.2 * Math.sqrt(squares / 10)) - Math.exp(waves / 10) + 20 + Math.E]
  },
  optimum: 0,
  optimumAt: Object.fromEntries(ACKLEY_SHIFT.map((v, i) => [`x${i + 1}`, v])),
  source: 'Ackley 1987, shifted and rotated; exact',
}

/** Rosenbrock's valley in `dimensions` floats on [−5, 10]. */
export function rosenbrock(dimensions: number): TestProblem {
  return {
    name: `rosenbrock${dimensions}`,
    parameters: floats(dimensions, -5, 10),
    objectives: MINIMIZE,
    evaluate: (p) => {
      const x = vector(p, dimensions)
      let f = 0
      for (let i = 0; i + 1 < dimensions; i++) f += 100 * (x[i + 1]! - x[i]! ** 2) ** 2 + (1 - x[i]!) ** 2
      return [f]
    },
    optimum: 0,
    optimumAt: Object.fromEntries(Array.from({ length: dimensions }, (_, i) => [`x${i + 1}`, 1])),
    source: 'Rosenbrock 1960; exact',
  }
}

/** Levy's function in `dimensions` floats on [−10, 10]. */
export function levy(dimensions: number): TestProblem {
  return {
    name: `levy${dimensions}`,
    parameters: floats(dimensions, -10, 10),
    objectives: MINIMIZE,
    evaluate: (p) => {
      const w = vector(p, dimensions).map((v) => 1 + (v - 1) / 4)
      const last = w[dimensions - 1]!
      let f = Math.sin(Math.PI * w[0]!) ** 2 + (last - 1) ** 2 * (1 + Math.sin(2 * Math.PI * last) ** 2)
      for (let i = 0; i + 1 < dimensions; i++) {
        f += (w[i]! - 1) ** 2 * (1 + 10 * Math.sin(Math.PI * w[i]! + 1) ** 2)
      }
      return [f]
    },
    optimum: 0,
    optimumAt: Object.fromEntries(Array.from({ length: dimensions }, (_, i) => [`x${i + 1}`, 1])),
    source: 'Levy and Montalvo 1985; exact',
  }
}

/** Griewank's function in `dimensions` floats on [−300, 600], whose optimum is off the centre. */
export function griewank(dimensions: number): TestProblem {
  return {
    name: `griewank${dimensions}`,
    parameters: floats(dimensions, -300, 600),
    objectives: MINIMIZE,
    evaluate: (p) => {
      const x = vector(p, dimensions)
      let sum = 0
      let product = 1
      for (let i = 0; i < dimensions; i++) {
        sum += x[i]! ** 2 / 4000
        product *= Math.cos(x[i]! / Math.sqrt(i + 1))
      }
      return [sum - product + 1]
    },
    optimum: 0,
    optimumAt: Object.fromEntries(Array.from({ length: dimensions }, (_, i) => [`x${i + 1}`, 0])),
    source: 'Griewank 1981; exact',
  }
}
