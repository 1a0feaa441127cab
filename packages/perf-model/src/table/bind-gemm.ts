import type { OperatorSource } from '@spica/schema'
import type { GemmKernel } from '../operators/kernel.js'
import { buildCurve, type Curve, covers, curveSource, evaluateCurve, interpolate } from './curve.js'
import { numberColumn, textFilter } from './perf-rows.js'
import { gemmSpeedOfLight } from './speed-of-light.js'
import { contextRows, notMeasured, type TableContext, type TableTimer } from './table-timer.js'

/** Points at the end of a sweep whose median utilisation the reference holds beyond it; the last alone makes no step. */
const REFERENCE_TAIL = 3
/** Neighbouring shapes whose utilisation stands in for a shape that was not measured, and how far they may be (log2). */
const NEIGHBOURS = 4
const REACH = 2

interface Site {
  readonly n: number
  readonly k: number
  readonly curve: Curve
}

/** All measured shapes of a format: curves over rows. Built once per model and format. */
export class GemmSites {
  readonly #sites: readonly Site[]

  constructor(context: TableContext, format: string) {
    const points = new Map<number, [number, number][]>()
    for (const { rows } of contextRows(context, 'gemm_perf')) {
      const matches = textFilter(rows, { gemm_dtype: format })
      const [m, n, k, latency] = ['m', 'n', 'k', 'latency'].map((name) => numberColumn(rows, name))
      for (let row = 0; row < rows.length; row++) {
        if (!matches(row)) continue
        const key = n![row]! * 2 ** 26 + k![row]!
        let list = points.get(key)
        if (list === undefined) {
          list = []
          points.set(key, list)
        }
        list.push([m![row]!, latency![row]!])
      }
    }
    this.#sites = [...points].map(([key, list]) => ({
      n: Math.floor(key / 2 ** 26),
      k: key % 2 ** 26,
      curve: buildCurve(list, !context.exact),
    }))
  }

  find(n: number, k: number): Site | undefined {
    return this.#sites.find((site) => site.n === n && site.k === k)
  }

  /** Measured shapes within reach, nearest first, with their log2 distance. */
  around(n: number, k: number): readonly { readonly site: Site; readonly distance: number }[] {
    return this.#sites
      .map((site) => ({ site, distance: Math.hypot(Math.log2(site.n / n), Math.log2(site.k / k)) }))
      .filter((entry) => entry.distance <= REACH)
      .sort((a, b) => a.distance - b.distance)
  }
}

/** Time over rows of a product that was measured, or of its neighbours' utilisation. */
export function gemmTableCurve(
  context: TableContext,
  sites: GemmSites,
  kernel: GemmKernel,
): { readonly at: (rows: number) => number; readonly sourceAt: (rows: number) => OperatorSource } {
  const { hardware } = context
  const tail = context.exact ? REFERENCE_TAIL : 1
  const light = (m: number): number => gemmSpeedOfLight(kernel, hardware, m)
  const own = sites.find(kernel.n, kernel.k)
  if (own !== undefined) {
    const { curve } = own
    return {
      at: (rows) => Math.max(evaluateCurve(curve, rows, light, tail), light(rows)),
      sourceAt: (rows) => curveSource(curve, rows),
    }
  }
  const neighbours = sites.around(kernel.n, kernel.k).map(({ site, distance }) => {
    const theirs = { ...kernel, n: site.n, k: site.k }
    const theirLight = (m: number): number => gemmSpeedOfLight(theirs, hardware, m)
    return {
      curve: site.curve,
      weight: 1 / (distance * distance),
      light: theirLight,
      utilisation: (rows: number, ms: number): number => Math.min(1, theirLight(rows) / ms),
    }
  })
  if (neighbours.length === 0) {
    throw notMeasured(context, 'gemm_perf', { gemm_dtype: kernel.format, n: kernel.n, k: kernel.k })
  }
  const at = (rows: number): number => {
    let weights = 0
    let utilisation = 0
    let taken = 0
    for (let index = 0; index < neighbours.length && taken < NEIGHBOURS; index++) {
      const near = neighbours[index]!
      if (!covers(near.curve, rows)) continue
      utilisation += near.weight * near.utilisation(rows, interpolate(near.curve, rows))
      weights += near.weight
      taken++
    }
    if (taken > 0) return (light(rows) * weights) / utilisation
    for (const near of neighbours.slice(0, NEIGHBOURS)) {
      utilisation += near.weight * near.utilisation(rows, evaluateCurve(near.curve, rows, near.light, tail))
      weights += near.weight
    }
    return (light(rows) * weights) / utilisation
  }
  if (context.exact) return { at, sourceAt: () => 'interpolated' }
  const monotone = tabulate(neighbours.slice(0, NEIGHBOURS), at)
  return { at: (rows) => evaluateCurve(monotone, rows, light, tail), sourceAt: () => 'interpolated' }
}

/** The transferred curve at every measured row count of its neighbours, made monotone. */
function tabulate(neighbours: readonly { readonly curve: Curve }[], at: (rows: number) => number): Curve {
  const xs = new Set(neighbours.flatMap(({ curve }) => [...curve.xs]))
  const points = [...xs].sort((a, b) => a - b).map((x): [number, number] => [x, at(x)])
  return buildCurve(points, true)
}

export function bindGemm(context: TableContext, sites: GemmSites, kernel: GemmKernel): TableTimer {
  const { at, sourceAt } = gemmTableCurve(context, sites, kernel)
  if (kernel.rows === 'sequences') return { timer: (batch) => at(batch), sourceAt: (batch) => sourceAt(batch) }
  return {
    timer: (batch, length, prefix) => at(batch * (length - prefix)),
    sourceAt: (batch, length, prefix) => sourceAt(batch * (length - prefix)),
  }
}
