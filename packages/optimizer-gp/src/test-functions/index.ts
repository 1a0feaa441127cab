import { func3c, hyperparameters7 } from './mixed.js'
import { braninCurrin, dtlz2, vehicleSafety, zdt1, zdt2 } from './multi-objective.js'
import { servingThroughput, servingTradeOff } from './serving.js'
import { ackley10ShiftedRotated, branin, griewank, hartmann6, levy, rosenbrock } from './single-objective.js'
import type { TestProblem } from './test-problem.js'

export type { TestProblem } from './test-problem.js'
export {
  ackley10ShiftedRotated,
  branin,
  braninCurrin,
  dtlz2,
  func3c,
  griewank,
  hartmann6,
  hyperparameters7,
  levy,
  rosenbrock,
  servingThroughput,
  servingTradeOff,
  vehicleSafety,
  zdt1,
  zdt2,
}

/** The twelve problems of the benchmark, in its order. */
export const benchmarkProblems: readonly TestProblem[] = [
  branin,
  hartmann6,
  ackley10ShiftedRotated,
  func3c,
  hyperparameters7,
  servingThroughput,
  zdt1,
  zdt2,
  dtlz2,
  braninCurrin,
  vehicleSafety,
  servingTradeOff,
]
