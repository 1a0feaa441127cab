/**
 * Dominance, Pareto fronts and exact hypervolume of plain number vectors.
 *
 * Notation: `n` points with `m` objectives each, every objective maximised (negate the minimised ones first).
 * Infinite coordinates are ordered like numbers; `NaN` is refused with a `RangeError`.
 * This entry point depends on nothing outside its own folder, so an optimiser can use it alone.
 */
export { dominates, equalPoints, type Point, type PointList } from './pareto/dominance.js'
export { type FrontMember, paretoFront, paretoFrontWithAlternatives } from './pareto/front.js'
export { hypervolume } from './pareto/hypervolume.js'
export { hypervolumeContributions, hypervolumeImprovement } from './pareto/hypervolume-contribution.js'
export { nonDominatedSort } from './pareto/non-dominated-sort.js'
