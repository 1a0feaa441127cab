import type { ProjectionGroup } from './projection-group.js'

/** A request in numbers, and the spans that scale the differences; a span of 0 switches its term off. */
export interface NumericRequest {
  readonly ratio: number
  readonly share: number
  readonly logSizes: readonly [number, number]
  readonly ratioSpan: number
  readonly shareSpan: number
  readonly logSizeSpans: readonly [number, number]
}

/** The nearest row so far. */
export interface Incumbent {
  /** Pool index, or −1 before the first row. */
  row: number
  distance: number
}

/** One term of the squared distance. */
export function squaredDifference(requested: number, actual: number, span: number): number {
  if (span === 0) return 0
  const scaled = (requested - actual) / span
  return scaled * scaled
}

/**
 * Terms of the distance that all rows of a group share. The full distance is ((ratio + share) + size₁) + size₂ in this
 * order of additions, here with the first two at zero.
 */
export function groupBound(group: ProjectionGroup, request: NumericRequest): number {
  return addSizes(0, group, request)
}

function addSizes(partial: number, group: ProjectionGroup, request: NumericRequest): number {
  const { logSizes, logSizeSpans } = request
  return (
    partial +
    squaredDifference(logSizes[0], group.logSizes[0], logSizeSpans[0]) +
    squaredDifference(logSizes[1], group.logSizes[1], logSizeSpans[1])
  )
}

/**
 * Improves the incumbent with the rows of one group, as if every row were compared.
 *
 * Rounded subtraction, division, squaring and addition are monotone, so along the sorted ratios the distance never
 * falls when moving away from the requested one, and likewise along the shares of one ratio. Both walks start at the
 * request and stop where the bound exceeds the incumbent; equal distances are still visited, for the tie rule.
 */
export function searchGroup(
  group: ProjectionGroup,
  request: NumericRequest,
  incumbent: Incumbent,
  isBefore: (row: number, other: number) => boolean,
): void {
  const { ratios, offsets, shares, rows } = group

  function visitShares(ratioTerm: number, from: number, to: number): void {
    const start = firstAtLeast(shares, request.share, from, to)
    for (let k = start; k < to && visitRow(ratioTerm, k); k++);
    for (let k = start - 1; k >= from && visitRow(ratioTerm, k); k--);
  }

  /** False when the row is farther than the incumbent. */
  function visitRow(ratioTerm: number, k: number): boolean {
    const distance = addSizes(
      ratioTerm + squaredDifference(request.share, shares[k]!, request.shareSpan),
      group,
      request,
    )
    if (incumbent.row >= 0 && distance > incumbent.distance) return false
    const row = rows[k]!
    if (incumbent.row < 0 || distance < incumbent.distance || isBefore(row, incumbent.row)) {
      incumbent.row = row
      incumbent.distance = distance
    }
    return true
  }

  /** False when no row with this ratio can be near enough. */
  function visitRatio(k: number): boolean {
    const ratioTerm = squaredDifference(request.ratio, ratios[k]!, request.ratioSpan)
    if (incumbent.row >= 0 && addSizes(ratioTerm, group, request) > incumbent.distance) return false
    visitShares(ratioTerm, offsets[k]!, offsets[k + 1]!)
    return true
  }

  let up = firstAtLeast(ratios, request.ratio, 0, ratios.length)
  let down = up - 1
  // Alternating between the two directions finds a good incumbent early.
  while (up < ratios.length || down >= 0) {
    if (up < ratios.length) up = visitRatio(up) ? up + 1 : ratios.length
    if (down >= 0) down = visitRatio(down) ? down - 1 : -1
  }
}

/** First position in `from` … `to` whose value is at least `wanted`; `to` when there is none. */
function firstAtLeast(values: Float64Array, wanted: number, from: number, to: number): number {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high) >>> 1
    if (values[middle]! < wanted) low = middle + 1
    else high = middle
  }
  return low
}
