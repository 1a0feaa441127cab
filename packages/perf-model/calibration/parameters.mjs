// Bounds of every coefficient. Efficiencies never exceed 1: no kernel beats the peak.
const log = (min, max) => ({ min, max, log: true })
const linear = (min, max) => ({ min, max, log: false })
const efficiency = log(0.01, 1)

export const BOUNDS = {
  gemm: {
    t0: log(5e-4, 0.4),
    ec: efficiency,
    em: efficiency,
    m0: log(1e-3, 200),
    n0: log(1e-2, 4000),
    k0: log(1e-2, 2000),
    f0: log(1e-5, 1),
    f1: log(1e-6, 1),
  },
  'prefill-attention': { t0: log(1e-3, 0.3), ec: efficiency, em: efficiency, s0: log(1e-2, 3000), b0: log(1e-3, 2000) },
  'decode-attention': { t0: log(1e-3, 0.3), t1: log(1e-12, 1e-4), ec: efficiency, em: efficiency, b0: log(1e-3, 200) },
  experts: {
    t0: log(1e-3, 0.6),
    ec: efficiency,
    em: efficiency,
    a: linear(0, 1),
    c: log(0.02, 3),
    pad: log(0.1, 400),
    i0: log(0.1, 4000),
  },
  'mla-prefill': { t0: log(1e-3, 2), eg: efficiency, ea: efficiency, em: efficiency, s0: log(1e-2, 4000) },
  'mla-decode': { t0: log(1e-3, 1), eg: efficiency, ew: efficiency, ea: efficiency, em: efficiency },
  'sparse-prefill': {
    t0: log(1e-2, 5),
    ts: log(1e-9, 1e-2),
    eg: efficiency,
    ei: efficiency,
    ea: efficiency,
    ed: efficiency,
    tf: log(1e-10, 1e-4),
  },
  'sparse-decode': {
    t0: log(1e-3, 1),
    tb: log(1e-9, 1e-2),
    ts: log(1e-12, 1e-5),
    eg: efficiency,
    ei: efficiency,
    ea: efficiency,
    em: efficiency,
  },
  'all-reduce': {
    t0: log(1e-4, 0.5),
    t1: log(1e-4, 0.5),
    e: log(1e-3, 1),
    x: linear(-0.5, 1.5),
    y: linear(-0.5, 2),
    z: linear(-2, 1),
  },
  nccl: {
    t0: log(1e-4, 0.5),
    t1: log(1e-4, 0.5),
    e: log(1e-3, 1),
    x: linear(-0.5, 1.5),
    y: linear(-0.5, 2),
    z: linear(-2, 1),
  },
}
