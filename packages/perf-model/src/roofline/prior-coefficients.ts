import type { HardwareSpec } from '@spica/schema'
import type { CoefficientFamilies, CoefficientFamily } from './coefficient-sets.js'
import { type GpuGeneration, gpuGeneration } from './gpu-figures.js'

/** Typical coefficients per generation: where a fit starts, and what serves when nothing was measured at all. */
const PRIORS: { readonly [F in CoefficientFamily]: (generation: GpuGeneration) => CoefficientFamilies[F] } = {
  gemm: (generation) => ({
    t0: 0.0045,
    ec: { hopper: 0.81, blackwell: 0.71, ampere: 0.92, ada: 0.63 }[generation],
    em: 0.8,
    m0: generation === 'ampere' ? 50 : 1,
    n0: 50,
    k0: 60,
    f0: 0.002,
    f1: 0.0005,
  }),
  'prefill-attention': (generation) => ({
    t0: 0.01,
    ec: 0.65,
    em: 0.4,
    s0: 200,
    b0: { hopper: 60, blackwell: 380, ampere: 100, ada: 100 }[generation],
  }),
  'decode-attention': (generation) => ({
    t0: generation === 'ampere' ? 0.019 : 0.011,
    t1: 1e-6,
    ec: 0.2,
    em: generation === 'ampere' ? 0.72 : 0.92,
    b0: 3,
  }),
  experts: () => ({ t0: 0.027, ec: 0.5, em: 0.95, a: 0.5, c: 0.5, pad: 60, i0: 300 }),
  'mla-prefill': (generation) => ({
    t0: { hopper: 0.055, blackwell: 0.13, ampere: 0.1, ada: 0.5 }[generation],
    eg: generation === 'blackwell' ? 0.21 : 0.33,
    ea: 0.8,
    em: generation === 'blackwell' ? 0.45 : 0.63,
    s0: 100,
  }),
  'mla-decode': () => ({ t0: 0.08, eg: 0.25, ew: 0.8, ea: 0.65, em: 0.7 }),
  'sparse-prefill': () => ({ t0: 1.2, ts: 1e-4, eg: 0.8, ei: 0.5, ea: 0.3, ed: 0.4, tf: 3e-7 }),
  'sparse-decode': () => ({ t0: 0.15, tb: 1e-4, ts: 1e-8, eg: 0.3, ei: 0.3, ea: 0.3, em: 0.6 }),
  'all-reduce': (generation) => ({
    t0: 0.004,
    t1: 0.0095,
    e: generation === 'ada' ? 0.13 : 0.75,
    x: 0.15,
    y: 0.4,
    z: 0.3,
    largest: 8,
  }),
  nccl: () => ({ t0: 0.01, t1: 0.012, e: 0.7, x: 0.15, y: 0.4, z: 0, largest: 8 }),
}

/** Typical coefficients of a family on a GPU's generation. */
export function priorCoefficients<F extends CoefficientFamily>(
  family: F,
  hardware: HardwareSpec,
): CoefficientFamilies[F] {
  return PRIORS[family](gpuGeneration(hardware))
}
