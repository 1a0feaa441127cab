import { MINIMIZE, type TestProblem } from './test-problem.js'

/** Three categories choose among test surfaces of two floats (Ru et al. 2020). */
export const func3c: TestProblem = {
  name: 'func3c',
  parameters: [
    { name: 'h1', kind: 'categorical', values: ['ros', 'cam', 'bea'] },
    { name: 'h2', kind: 'categorical', values: ['ros', 'cam', 'bea', 'beb', 'bec'] },
    { name: 'h3', kind: 'categorical', values: ['c5', 'r2', 'b2', 'b3'] },
    { name: 'x1', kind: 'float', min: -1, max: 1 },
    { name: 'x2', kind: 'float', min: -1, max: 1 },
  ],
  objectives: MINIMIZE,
  evaluate: (p) => {
    const a = 2 * (p['x1'] as number)
    const b = 2 * (p['x2'] as number)
    const ros = (100 * (b - a * a) ** 2 + (1 - a) ** 2) / 300
    const cam = ((4 - 2.1 * a * a + a ** 4 / 3) * a * a + a * b + (-4 + 4 * b * b) * b * b) / 10
    const bea = ((1.5 - a + a * b) ** 2 + (2.25 - a + a * b * b) ** 2 + (2.625 - a + a * b ** 3) ** 2) / 50
    const pick = (h: unknown): number => (h === 'ros' ? ros : h === 'cam' ? cam : bea)
    const third: Record<string, number> = { c5: 5 * cam, r2: 2 * ros, b2: 2 * bea, b3: 3 * bea }
    return [pick(p['h1']) + pick(p['h2']) + third[p['h3'] as string]!]
  },
  optimum: -0.7221399174422721,
  source: 'Func-3C of CoCaBO, Ru et al. 2020; minimum by 40,000 evaluations of random and local search',
}

const OPTIMISERS: Record<string, { offset: number; best: number }> = {
  sgd: { offset: 0.08, best: -1 },
  adam: { offset: 0.02, best: -2.8 },
  lion: { offset: 0, best: Math.log10(3e-3) },
}
const ACTIVATIONS: Record<string, number> = { relu: 0.02, gelu: 0, tanh: 0.05, swish: 0.005 }

/** Seven knobs of training a network: log floats, an integer, powers of two, two categories with interactions. */
export const hyperparameters7: TestProblem = {
  name: 'hpo7',
  parameters: [
    { name: 'lr', kind: 'float', min: 1e-5, max: 1, scale: 'log' },
    { name: 'wd', kind: 'float', min: 1e-7, max: 0.1, scale: 'log' },
    { name: 'drop', kind: 'float', min: 0, max: 0.6 },
    { name: 'layers', kind: 'integer', min: 2, max: 16 },
    { name: 'bs', kind: 'discrete', values: [16, 32, 64, 128, 256, 512, 1024], scale: 'log' },
    { name: 'opt', kind: 'categorical', values: ['sgd', 'adam', 'lion'] },
    { name: 'act', kind: 'categorical', values: ['relu', 'gelu', 'tanh', 'swish'] },
  ],
  objectives: MINIMIZE,
  evaluate: (p) => {
    const doublings = Math.log2(p['bs'] as number) - 7
    const layers = (p['layers'] as number) - 6
    const { offset, best } = OPTIMISERS[p['opt'] as string]!
    const u = Math.log10(p['lr'] as number) - best - 0.15 * doublings
    let f = 0.05 + offset + 0.25 * (1 - Math.exp((-0.5 * u * u) / 0.36))
    f += (0.03 * (Math.log10(p['wd'] as number) + 4 + 0.5 * u) ** 2) / 4
    f += 0.2 * ((p['drop'] as number) - 0.2 - 0.03 * layers) ** 2
    f += (0.004 * layers * layers) / (1 + 0.1 * Math.abs(layers))
    f += 0.006 * doublings * doublings
    return [f + ACTIVATIONS[p['act'] as string]! * (1 + 0.3 * Math.tanh(u))]
  },
  optimum: 0.05,
  optimumAt: { lr: 3e-3, wd: 1e-4, drop: 0.2, layers: 6, bs: 128, opt: 'lion', act: 'gelu' },
  source: 'synthetic, shaped like hyper-parameter tuning; exact',
}
