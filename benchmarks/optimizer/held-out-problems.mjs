/**
 * Problems of the same kinds as the benchmark's twelve on which no setting was chosen: they show whether a gain carries
 * over. Hypervolumes are divided by a fixed scale, not by a known optimum, so they only compare optimisers.
 */
import { griewank, levy, rosenbrock, servingThroughput } from '../../packages/optimizer-gp/dist/test-functions/index.js'

const floats = (n, min, max) => Array.from({ length: n }, (_, i) => ({ name: `x${i + 1}`, kind: 'float', min, max }))
const vector = (p, n) => Array.from({ length: n }, (_, i) => p[`x${i + 1}`])
const MINIMIZE = [{ name: 'f', direction: 'minimize' }]
const towards = (...ref) =>
  ref.map((referencePoint, m) => ({ name: `f${m + 1}`, direction: 'minimize', referencePoint }))
const sum = (values) => values.reduce((a, b) => a + b, 0)

const rastrigin5 = {
  name: 'rastrigin5',
  parameters: floats(5, -4.5, 6.1),
  objectives: MINIMIZE,
  evaluate: (p) => [50 + sum(vector(p, 5).map((v) => v * v - 10 * Math.cos(2 * Math.PI * v)))],
  optimum: 0,
}

const styblinski8 = {
  name: 'styblinski8',
  parameters: floats(8, -5, 5),
  objectives: MINIMIZE,
  evaluate: (p) => [sum(vector(p, 8).map((v) => (v ** 4 - 16 * v * v + 5 * v) / 2))],
  optimum: -39.16616570377142 * 8,
}

const ackleyMixed = {
  name: 'ackley_mixed',
  parameters: [
    ...floats(3, -5, 9),
    ...[4, 5, 6].map((i) => ({ name: `x${i}`, kind: 'integer', min: -6, max: 8 })),
    ...[7, 8].map((i) => ({ name: `x${i}`, kind: 'categorical', values: ['-2', '0', '1', '3', '5'] })),
  ],
  objectives: MINIMIZE,
  evaluate: (p) => {
    const z = vector(p, 8).map((v, i) => Number(v) - [1.3, -2.1, 3.2, 2, -1, 4, 0, 0][i])
    const a = Math.sqrt(sum(z.map((v) => v * v)) / 8)
    return [-20 * Math.exp(-0.2 * a) - Math.exp(sum(z.map((v) => Math.cos(2 * Math.PI * v))) / 8) + 20 + Math.E]
  },
  optimum: 0,
}

const pressureVessel = {
  name: 'pressure_vessel',
  parameters: [
    { name: 'a', kind: 'integer', min: 1, max: 99 },
    { name: 'b', kind: 'integer', min: 1, max: 99 },
    { name: 'r', kind: 'float', min: 10, max: 200 },
    { name: 'l', kind: 'float', min: 10, max: 240 },
  ],
  objectives: MINIMIZE,
  evaluate: ({ a, b, r, l }) => {
    const s = 0.0625 * a
    const h = 0.0625 * b
    if (s < 0.0193 * r || h < 0.00954 * r || Math.PI * r * r * l + (4 / 3) * Math.PI * r ** 3 < 1296000) return null
    return [0.6224 * s * r * l + 1.7781 * h * r * r + 3.1661 * s * s * l + 19.84 * s * s * r]
  },
  optimum: 6059.714,
}

const svmLike = {
  name: 'svm_like',
  parameters: [
    { name: 'c', kind: 'float', min: 1e-3, max: 1e4, scale: 'log' },
    { name: 'gamma', kind: 'float', min: 1e-6, max: 10, scale: 'log' },
    { name: 'degree', kind: 'integer', min: 1, max: 6 },
    { name: 'batch', kind: 'discrete', values: [8, 16, 32, 64, 128, 256, 512, 1024, 2048], scale: 'log' },
    { name: 'kernel', kind: 'categorical', values: ['rbf', 'poly', 'sigmoid', 'linear'] },
    { name: 'weighting', kind: 'categorical', values: ['none', 'balanced', 'sqrt'] },
  ],
  objectives: MINIMIZE,
  evaluate: ({ c, gamma, degree, batch, kernel, weighting }) => {
    const lc = Math.log10(c)
    const lg = Math.log10(gamma)
    const base = { rbf: 0.08, poly: 0.1, sigmoid: 0.2, linear: 0.15 }[kernel]
    const ridge = kernel === 'linear' ? lc : lc + 0.8 * (lg + 2)
    let f = base + 0.2 * (1 - Math.exp(-0.25 * (ridge - 1.5) ** 2))
    if (kernel !== 'linear') f += 0.12 * (1 - Math.exp(-0.4 * (lg + 2.4) ** 2))
    if (kernel === 'poly') f += 0.01 * (degree - 3) ** 2
    f += 0.004 * (Math.log2(batch) - 6) ** 2
    return [f + { none: 0.02, balanced: 0, sqrt: 0.01 }[weighting] * (1 + 0.5 * Math.sin(lc))]
  },
  optimum: 0.08,
}

/** The serving problem under another cost surface: units shifted, other penalties, other constraints. */
const servingShifted = {
  name: 'serving_shifted',
  parameters: servingThroughput.parameters,
  objectives: [{ name: 'g', direction: 'maximize' }],
  evaluate: (x) => {
    const q = { bf16: 1, fp8: 1.7, int4: 2.1 }[x.quant]
    const be = { trtllm: 0.9, vllm: 1, sglang: 1.05 }[x.backend]
    const gpus = x.tp * x.pp
    const memory = 96 * x.kv_frac * gpus - 190 / q
    const batch = Math.min(x.conc, x.max_batch)
    if (memory < batch * 0.35 || x.conc > 4 * x.max_batch) return null
    const step = (190 / q / gpus + 0.12 * batch) * (1 + 0.1 * Math.log2(x.tp)) + 3 + 0.9 * (x.pp - 1)
    const spec = (1 - 0.7 ** (x.spec_k + 1)) / 0.3 / (1 + 0.11 * x.spec_k)
    const mix = x.sched === 'disagg' ? 1.15 - 1.2 * (x.prefill_ratio - 0.35) ** 2 : x.sched === 'chunked' ? 1.02 : 0.8
    const chunk = 1 - 0.03 * (Math.log2(x.chunk) - 12) ** 2
    const block = 1 - 0.02 * (Math.log2(x.block) - 5) ** 2
    const latency = (step * x.conc) / batch
    if (latency > 60 && x.sched !== 'disagg') return null
    return [(1000 * batch * spec * mix * chunk * block * be) / step / gpus]
  },
  optimum: 2700,
}

const servingThree = {
  name: 'serving_three',
  parameters: servingThroughput.parameters,
  objectives: [
    { name: 'g', direction: 'maximize', referencePoint: 0 },
    { name: 'latency', direction: 'minimize', referencePoint: 60 },
    { name: 'gpus', direction: 'minimize', referencePoint: 33 },
  ],
  evaluate: (x) => {
    const one = servingShifted.evaluate(x)
    if (one === null) return null
    const batch = Math.min(x.conc, x.max_batch)
    return [one[0], Math.max(2, batch ** 0.6 * (1 + 0.1 * x.pp) * (x.sched === 'disagg' ? 0.8 : 1)), x.tp * x.pp]
  },
  hypervolume: 2700 * 58 * 32,
}

const zdt3 = {
  name: 'zdt3_6',
  parameters: floats(6, 0, 1),
  objectives: towards(1.1, 6),
  evaluate: (p) => {
    const x = vector(p, 6)
    const g = 1 + (9 * sum(x.slice(1))) / 5
    const r = x[0] / g
    return [x[0], g * (1 - Math.sqrt(r) - r * Math.sin(10 * Math.PI * x[0]))]
  },
  hypervolume: 6.5,
}

const dtlz7 = {
  name: 'dtlz7_6_3',
  parameters: floats(6, 0, 1),
  objectives: towards(1.1, 1.1, 12),
  evaluate: (p) => {
    const x = vector(p, 6)
    const g = 1 + (9 * sum(x.slice(2))) / 4
    const h =
      3 - (x[0] / (1 + g)) * (1 + Math.sin(3 * Math.PI * x[0])) - (x[1] / (1 + g)) * (1 + Math.sin(3 * Math.PI * x[1]))
    return [x[0], x[1], (1 + g) * h]
  },
  hypervolume: 9,
}

const dtlz2Off = {
  name: 'dtlz2_8_2_off',
  parameters: floats(8, 0, 1),
  objectives: towards(1.1, 1.1),
  evaluate: (p) => {
    const x = vector(p, 8)
    const g = sum(x.slice(1).map((v, i) => (v - 0.2 - 0.08 * i) ** 2))
    const a = (x[0] * Math.PI) / 2
    return [(1 + g) * Math.cos(a), (1 + g) * Math.sin(a)]
  },
  hypervolume: 1.21 - Math.PI / 4,
}

const kursawe = {
  name: 'kursawe3',
  parameters: floats(3, -5, 5),
  objectives: towards(-5, 10),
  evaluate: (p) => {
    const x = vector(p, 3)
    const f1 = sum([0, 1].map((i) => -10 * Math.exp(-0.2 * Math.hypot(x[i], x[i + 1]))))
    return [f1, sum(x.map((v) => Math.abs(v) ** 0.8 + 5 * Math.sin(v ** 3)))]
  },
  hypervolume: 160,
}

const discBrake = {
  name: 'disc_brake',
  parameters: [
    { name: 'x1', kind: 'float', min: 55, max: 80 },
    { name: 'x2', kind: 'float', min: 75, max: 110 },
    { name: 'x3', kind: 'float', min: 1000, max: 3000 },
    { name: 'x4', kind: 'integer', min: 2, max: 20 },
  ],
  objectives: towards(6, 25),
  evaluate: ({ x1, x2, x3, x4 }) => {
    const a = x2 * x2 - x1 * x1
    const c = x2 ** 3 - x1 ** 3
    const torque = (0.0266 * x3 * x4 * c) / a
    const pressure = x3 / (3.14 * a)
    if (x2 - x1 < 20 || 30 < 2.5 * (x4 + 1) || pressure > 0.4 || (2.22e-3 * x3 * c) / a ** 2 > 1 || torque < 900)
      return null
    return [4.9e-5 * a * (x4 - 1), (9.82e6 * a) / (x3 * x4 * c)]
  },
  hypervolume: 100,
}

export const heldOutProblems = [
  rosenbrock(4),
  levy(6),
  griewank(5),
  rastrigin5,
  styblinski8,
  ackleyMixed,
  pressureVessel,
  svmLike,
  servingShifted,
  servingThree,
  zdt3,
  dtlz7,
  dtlz2Off,
  kursawe,
  discBrake,
]
