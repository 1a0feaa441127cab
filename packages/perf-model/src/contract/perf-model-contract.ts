import type { PerfModel } from '@spica/schema'

/** Where a model is probed. Defaults suit any LLM on a data-centre GPU. */
export interface PerfModelProbes {
  readonly batches?: readonly number[]
  readonly lengths?: readonly number[]
  /** Token counts at whose edges times must be continuous, e.g. chunk sizes and the ends of tables. */
  readonly edges?: readonly number[]
  /** KV pool in tokens, for models that look at its occupancy. */
  readonly totalKvTokens?: number
  /** Largest step across an edge, as a share; default 0.05. */
  readonly step?: number
}

/** One promise of the contract; `run` throws an Error that says with numbers where it is broken. */
export interface PerfModelCheck {
  readonly name: string
  run(): void
}

const BATCHES = [1, 2, 3, 7, 16, 33, 64, 150, 256]
const LENGTHS = [1, 17, 128, 129, 500, 1024, 2047, 2048, 2049, 4096, 8191, 8192, 12_000, 16_384, 40_000]
const EDGES = [128, 1024, 2048, 4096, 8192, 16_384, 32_768]
/** Slack of a comparison of two sums that were added up in different orders. */
const ROUNDING = 1e-12

/**
 * The promises every PerfModel keeps, as checks for any test runner: positive and finite, free for empty passes, monotone in batch,
 * tokens and context, continuous across edges, deterministic, and explained by operators that add up.
 */
export function perfModelContract(create: () => PerfModel, probes: PerfModelProbes = {}): readonly PerfModelCheck[] {
  const batches = probes.batches ?? BATCHES
  const lengths = probes.lengths ?? LENGTHS
  const edges = probes.edges ?? EDGES
  const total = probes.totalKvTokens ?? 2 ** 26
  const step = probes.step ?? 0.05
  const model = create()
  const decode = (batch: number, context: number): number => model.decodeMs(batch, batch * context, context, total)
  return [
    check('is positive and finite', () => {
      for (const batch of batches) {
        for (const length of lengths) {
          positive(`prefillMs(${batch}, ${length}, 0)`, model.prefillMs(batch, length, 0))
          positive(`decodeMs of ${batch} at ${length}`, decode(batch, length))
        }
      }
    }),
    check('is free for passes without work', () => {
      equal('prefillMs(0, 100, 0)', model.prefillMs(0, 100, 0), 0)
      equal('prefillMs(4, 100, 100)', model.prefillMs(4, 100, 100), 0)
      equal('decodeMs(0, …)', model.decodeMs(0, 0, 0, total), 0)
    }),
    check('is monotone in batch', () => {
      for (const length of lengths) {
        rising(`prefill of ${length} tokens over batch`, batches, (batch) => model.prefillMs(batch, length, 0))
        rising(`decode at ${length} over batch`, batches, (batch) => decode(batch, length))
      }
    }),
    check('is monotone in tokens and context', () => {
      for (const batch of batches) {
        rising(`prefill of ${batch} over tokens`, lengths, (length) => model.prefillMs(batch, length, 0))
        rising(`decode of ${batch} over context`, lengths, (length) => decode(batch, length))
        rising(`prefill of ${batch} × 512 over prefix`, lengths, (prefix) =>
          model.prefillMs(batch, prefix + 512, prefix),
        )
      }
    }),
    check('is continuous across edges', () => {
      for (const batch of batches) {
        for (const edge of edges) {
          const before = model.prefillMs(batch, edge, 0)
          near(`prefill of ${batch} at ${edge}`, before, model.prefillMs(batch, edge + 1, 0), step + 1 / edge)
          near(`decode of ${batch} at ${edge}`, decode(batch, edge), decode(batch, edge + 1), step)
        }
      }
    }),
    check('is deterministic', () => {
      const again = create()
      for (const batch of batches) {
        for (const length of lengths) {
          equal('prefillMs', again.prefillMs(batch, length, 0), model.prefillMs(batch, length, 0))
          equal('decodeMs', again.decodeMs(batch, batch * length, length, total), decode(batch, length))
        }
      }
    }),
    check('explains a pass by operators that add up', () => {
      const prefill = model.explain({ phase: 'prefill', batch: 3, isl: 700, prefix: 100 })
      near(
        'prefill',
        model.prefillMs(3, 700, 100),
        prefill.reduce((sum, { ms }) => sum + ms, 0),
        1e-9,
      )
      const query = { phase: 'decode', batch: 3, context: 700, activeKvTokens: 2100, totalKvTokens: total } as const
      near(
        'decode',
        decode(3, 700),
        model.explain(query).reduce((sum, { ms }) => sum + ms, 0),
        1e-9,
      )
    }),
  ]
}

function check(name: string, run: () => void): PerfModelCheck {
  return { name, run }
}

function positive(what: string, ms: number): void {
  if (!(ms > 0) || !Number.isFinite(ms)) throw new Error(`${what} is ${ms}`)
}

function equal(what: string, actual: number, expected: number): void {
  if (actual !== expected) throw new Error(`${what} is ${actual}, expected ${expected}`)
}

function rising(what: string, points: readonly number[], at: (point: number) => number): void {
  let before = Number.NEGATIVE_INFINITY
  let last = Number.NaN
  for (const point of points) {
    const ms = at(point)
    if (ms < before * (1 - ROUNDING)) throw new Error(`${what} falls from ${before} at ${last} to ${ms} at ${point}`)
    before = ms
    last = point
  }
}

function near(what: string, a: number, b: number, share: number): void {
  if (Math.abs(a - b) > share * Math.max(a, b)) throw new Error(`${what} steps from ${a} to ${b}`)
}
