/** Relative ridge on the slopes when the normal matrix is singular. */
const RIDGE = 1e-9
/** A pivot below this share of the largest diagonal counts as zero. */
const SINGULAR = 1e-12

/**
 * Weighted least squares with a free intercept. Columns are centred first, so that large token counts do not cost digits.
 * @param columns k columns of n features
 * @param y n targets
 * @param weights n weights > 0
 * @returns intercept followed by k slopes
 */
export function weightedLeastSquares(
  columns: readonly (readonly number[])[],
  y: readonly number[],
  weights: readonly number[],
): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value, i) => sum + weights[i] * value, 0) / total
  const means = columns.map(mean)
  const yMean = mean(y)
  const k = columns.length
  const normal = columns.map((a, i) =>
    columns.map((b, j) => a.reduce((sum, value, n) => sum + weights[n] * (value - means[i]) * (b[n] - means[j]), 0)),
  )
  const right = columns.map((a, i) =>
    a.reduce((sum, value, n) => sum + weights[n] * (value - means[i]) * (y[n] - yMean), 0),
  )
  const slopes = solve(normal, right) ?? solve(withRidge(normal), right) ?? new Array<number>(k).fill(0)
  const intercept = slopes.reduce((sum, slope, i) => sum - slope * means[i], yMean)
  return [intercept, ...slopes]
}

function withRidge(normal: readonly (readonly number[])[]): number[][] {
  const trace = normal.reduce((sum, row, i) => sum + row[i], 0)
  return normal.map((row, i) => row.map((value, j) => (i === j ? value + RIDGE * Math.max(1, trace) : value)))
}

/** Gaussian elimination with row pivoting; null when singular. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] | null {
  const n = right.length
  const rows = matrix.map((row, i) => [...row, right[i]])
  const scale = Math.max(...matrix.map((row, i) => Math.abs(row[i])), 0)
  for (let column = 0; column < n; column++) {
    let pivot = column
    for (let i = column + 1; i < n; i++) if (Math.abs(rows[i][column]) > Math.abs(rows[pivot][column])) pivot = i
    if (Math.abs(rows[pivot][column]) <= SINGULAR * scale || scale === 0) return null
    ;[rows[column], rows[pivot]] = [rows[pivot], rows[column]]
    for (let i = column + 1; i < n; i++) {
      const factor = rows[i][column] / rows[column][column]
      for (let j = column; j <= n; j++) rows[i][j] -= factor * rows[column][j]
    }
  }
  const solution = new Array<number>(n).fill(0)
  for (let i = n - 1; i >= 0; i--) {
    let value = rows[i][n]
    for (let j = i + 1; j < n; j++) value -= rows[i][j] * solution[j]
    solution[i] = value / rows[i][i]
  }
  return solution
}
