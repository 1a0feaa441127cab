export {
  type CandidateFront,
  type FrontPoint,
  frontHypervolume,
  paretoCandidates,
  referencePointFor,
} from './candidate-front.js'
export { type Dominator, dominators } from './dominators.js'
export { type MergedCandidates, mergeBranches } from './merge-branches.js'
export { keptMetrics, METRIC_KEYS, type MetricKey } from './metrics.js'
export {
  avgGpus,
  type GoalTarget,
  isBetter,
  OBJECTIVE_NAMES,
  type ObjectiveName,
  objectiveDirection,
  objectiveScore,
  objectiveUnit,
  objectiveValue,
  type ReportMetrics,
  requiredMetric,
} from './objectives.js'
export { type RankableCandidate, rankCandidates } from './rank.js'
export {
  type ScoredReport,
  type ScoreFailure,
  type ScoreFailureCode,
  type ScoreResult,
  scoreReport,
} from './score-report.js'
export { type ScoredCandidate, scoreVector } from './scored-candidate.js'
export { DEFAULT_PARETO_OBJECTIVES, goalObjectives, type ScoringGoal } from './scoring-goal.js'
export { createStallMonitor, type StallMonitor, type StallOptions, type StallState } from './stall-monitor.js'
