/**
 * Fronts beside pairwise comparison, hypervolume beside plain slicing (HSO), on points of a sphere: all on the front, the
 * worst case for both. Run after a build: `node benchmarks/scorer/fronts.mjs`. CPU times, least of three runs.
 */
import { dominates, hypervolume, nonDominatedSort, paretoFront } from '../../packages/scorer/dist/pareto.js'

let state = 1
const next = () => (state = (state * 48271) % 2147483647) / 2147483647
const normal = () => Math.sqrt(-2 * Math.log(next())) * Math.cos(2 * Math.PI * next())

function sphere(count, m) {
  return Array.from({ length: count }, () => {
    const point = Array.from({ length: m }, () => Math.abs(normal()))
    const length = Math.hypot(...point)
    return point.map((value) => value / length)
  })
}

function cpuMs(run) {
  let least = Number.POSITIVE_INFINITY
  for (let k = 0; k < 3; k++) {
    const before = process.cpuUsage()
    run()
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}

const pairwise = (points) => points.filter((point) => !points.some((other) => dominates(other, point)))

/** Hypervolume by slices of the last objective, recursively down to one dimension. */
function slicing(points, m) {
  if (m === 1) return points.reduce((best, [value]) => Math.max(best, value), 0)
  const sorted = [...points].sort((a, b) => b[m - 1] - a[m - 1])
  return sorted.reduce((total, point, k) => {
    const depth = point[m - 1] - (k + 1 < sorted.length ? sorted[k + 1][m - 1] : 0)
    return depth === 0 ? total : total + depth * slicing(sorted.slice(0, k + 1), m - 1)
  }, 0)
}

const row = (cells) => console.log(cells.map((cell) => String(cell).padStart(14)).join(''))
const ratio = (slow, fast) => `${(slow / Math.max(fast, 1e-3)).toFixed(0)}x`

row(['objectives', 'points', 'front ms', 'pairwise ms', 'ratio', 'sort ms'])
for (const [m, count] of [
  [2, 1000],
  [2, 10_000],
  [3, 1000],
  [3, 10_000],
  [4, 2000],
]) {
  const points = sphere(count, m)
  const front = cpuMs(() => paretoFront(points))
  const slow = cpuMs(() => pairwise(points))
  row([
    m,
    count,
    front.toFixed(1),
    slow.toFixed(1),
    ratio(slow, front),
    cpuMs(() => nonDominatedSort(points)).toFixed(1),
  ])
}

row(['objectives', 'points', 'volume ms', 'slicing ms', 'ratio', 'difference'])
for (const [m, count, slicingToo] of [
  [2, 2000, true],
  [2, 100_000, false],
  [3, 200, true],
  [3, 10_000, false],
  [4, 60, true],
  [4, 1000, false],
  [6, 600, false],
]) {
  const points = sphere(count, m)
  const reference = new Array(m).fill(0)
  const fast = cpuMs(() => hypervolume(points, reference))
  if (!slicingToo) {
    row([m, count, fast.toFixed(1), '-', '-', '-'])
    continue
  }
  const slow = cpuMs(() => slicing(points, m))
  const difference = Math.abs(slicing(points, m) - hypervolume(points, reference))
  row([m, count, fast.toFixed(1), slow.toFixed(1), ratio(slow, fast), difference.toExponential(0)])
}
