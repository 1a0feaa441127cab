/**
 * The front of a growing set of pairs (x, y), both maximised, kept as a staircase: x ascending, y descending.
 * A query costs O(log n); an insertion moves the tail of the arrays.
 */
export class Staircase {
  readonly xs: number[] = []
  readonly ys: number[] = []

  /** Adds a pair unless a kept one is at least as large in both; drops those it covers. True when it was added. */
  add(x: number, y: number): boolean {
    const at = this.firstAtLeast(x)
    if (at < this.xs.length && this.ys[at] >= y) return false
    let from = at
    // Covered pairs have a smaller or equal x and a smaller or equal y: a run that ends at `at`.
    const end = at < this.xs.length && this.xs[at] === x ? at + 1 : at
    while (from > 0 && this.ys[from - 1] <= y) from--
    this.xs.splice(from, end - from, x)
    this.ys.splice(from, end - from, y)
    return true
  }

  /** Index of the first pair with x at least the given one. */
  firstAtLeast(x: number): number {
    let low = 0
    let high = this.xs.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.xs[middle] < x) low = middle + 1
      else high = middle
    }
    return low
  }
}
