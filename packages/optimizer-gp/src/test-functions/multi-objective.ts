import { braninValue } from './single-objective.js'
import { floats, minimizeTowards, type TestProblem, vector } from './test-problem.js'

function spread(count: number): number[] {
  return Array.from({ length: count }, (_, i) => (count === 1 ? 0 : i / (count - 1)))
}

function zdtSlack(x: readonly number[]): number {
  let sum = 0
  for (let i = 1; i < x.length; i++) sum += x[i]!
  return 1 + (9 * sum) / (x.length - 1)
}

/** ZDT1 in 5 floats: convex front f2 = 1 − √f1. */
export const zdt1: TestProblem = {
  name: 'zdt1_5',
  parameters: floats(5, 0, 1),
  objectives: minimizeTowards(11, 11),
  evaluate: (p) => {
    const x = vector(p, 5)
    const g = zdtSlack(x)
    return [x[0]!, g * (1 - Math.sqrt(x[0]! / g))]
  },
  hypervolume: 121 - 1 / 3,
  front: (count) => spread(count).map((t) => [t, 1 - Math.sqrt(t)]),
  source: 'Zitzler, Deb and Thiele 2000; exact',
}

/** ZDT2 in 5 floats: concave front f2 = 1 − f1². */
export const zdt2: TestProblem = {
  name: 'zdt2_5',
  parameters: floats(5, 0, 1),
  objectives: minimizeTowards(11, 11),
  evaluate: (p) => {
    const x = vector(p, 5)
    const g = zdtSlack(x)
    return [x[0]!, g * (1 - (x[0]! / g) ** 2)]
  },
  hypervolume: 121 - 2 / 3,
  front: (count) => spread(count).map((t) => [t, 1 - t * t]),
  source: 'Zitzler, Deb and Thiele 2000; exact',
}

/** DTLZ2 with 6 floats and 3 objectives: the front is an eighth of the unit sphere. */
export const dtlz2: TestProblem = {
  name: 'dtlz2_6_3',
  parameters: floats(6, 0, 1),
  objectives: minimizeTowards(1.1, 1.1, 1.1),
  evaluate: (p) => {
    const x = vector(p, 6)
    let g = 0
    for (let i = 2; i < 6; i++) g += (x[i]! - 0.5) ** 2
    const a = (x[0]! * Math.PI) / 2
    const b = (x[1]! * Math.PI) / 2
    return [(1 + g) * Math.cos(a) * Math.cos(b), (1 + g) * Math.cos(a) * Math.sin(b), (1 + g) * Math.sin(a)]
  },
  hypervolume: 1.331 - Math.PI / 6,
  front: (count) => {
    const side = Math.max(1, Math.round(Math.sqrt(count)))
    return spread(side).flatMap((s) =>
      spread(side).map((t) => {
        const a = (s * Math.PI) / 2
        const b = (t * Math.PI) / 2
        return [Math.cos(a) * Math.cos(b), Math.cos(a) * Math.sin(b), Math.sin(a)]
      }),
    )
  },
  source: 'Deb, Thiele, Laumanns and Zitzler 2005; exact',
}

/** Branin against Currin's exponential function, 2 floats. */
export const braninCurrin: TestProblem = {
  name: 'branincurrin',
  parameters: floats(2, 0, 1),
  objectives: minimizeTowards(18, 6),
  evaluate: (p) => {
    const [x1, x2] = vector(p, 2) as [number, number]
    const damping = x2 > 0 ? 1 - Math.exp(-1 / (2 * x2)) : 1
    const currin =
      (damping * (2300 * x1 ** 3 + 1900 * x1 * x1 + 2092 * x1 + 60)) / (100 * x1 ** 3 + 500 * x1 * x1 + 4 * x1 + 20)
    return [braninValue(15 * x1 - 5, 15 * x2), currin]
  },
  hypervolume: 59.36011874867746,
  source: 'Belakaria et al. 2019; hypervolume as published with BoTorch',
}

/** Crash-worthiness of a vehicle: 5 floats, mass, acceleration and intrusion. */
export const vehicleSafety: TestProblem = {
  name: 'vehicle',
  parameters: floats(5, 1, 3),
  objectives: minimizeTowards(1864.72022, 11.81993945, 0.2903999384),
  evaluate: (p) => {
    const [a, b, c, d, e] = vector(p, 5) as [number, number, number, number, number]
    const mass = 1640.2823 + 2.3573285 * a + 2.3220035 * b + 4.5688768 * c + 7.7213633 * d + 4.4559504 * e
    const acceleration =
      6.5856 +
      1.15 * a -
      1.0427 * b +
      0.9738 * c +
      0.8364 * d -
      0.3695 * a * d +
      0.0861 * a * e +
      0.3628 * b * d -
      0.1106 * a * a -
      0.3437 * c * c +
      0.1764 * d * d
    const intrusion =
      -0.0551 +
      0.0181 * a +
      0.1024 * b +
      0.0421 * c -
      0.0073 * a * b +
      0.024 * b * c -
      0.0118 * b * d -
      0.0204 * c * d -
      0.008 * c * e -
      0.0241 * b * b +
      0.0109 * d * d
    return [mass, acceleration, intrusion]
  },
  hypervolume: 246.81607081187002,
  source: 'Liao et al. 2008; hypervolume as published with BoTorch, itself approximate',
}
