export type { EvaluationPlan, Evaluator } from './contracts/evaluator.js'
export type { Executor, ExecutorOutcome, ExecutorRunOptions, ExecutorTask } from './contracts/executor.js'
export type { Forecaster } from './contracts/forecaster.js'
export type {
  CreateOptimizer,
  Objective,
  Optimizer,
  OptimizerOptions,
  Outcome,
  Parameter,
  Suggestion,
} from './contracts/optimizer.js'
export type { OperatorSource, OperatorTime, PassQuery, PerfModel } from './contracts/perf-model.js'
export type {
  ForwardPassMetrics,
  Planner,
  PlannerDecision,
  PlannerSnapshot,
  TrafficWindow,
} from './contracts/planner.js'
export type { EngineSettings, ShapeContext, ShapeRule, ShapeVerdict } from './contracts/shape-rule.js'
export type { EngineArgs } from './domain/engine-args.js'
export type { HardwareSpec } from './domain/hardware-spec.js'
export type {
  DenseFfnGroup,
  KvFormat,
  LayerGroup,
  MlaSpec,
  ModelSpec,
  MoeSpec,
  QuantizationSpec,
  RecurrentSpec,
  SparseIndexerSpec,
  WeightFormat,
} from './domain/model-spec.js'
export { isMoe } from './domain/model-spec.js'
export type { Backend, DeploymentMode, ParallelConfig, ReplicatedShape, Role, WorkerShape } from './domain/parallel.js'
export { gpusPerWorker, usedGpus } from './domain/parallel.js'
export type { ReplayReport } from './domain/replay-report.js'
export type { ConfigIssue, SourceLocation, SpicaErrorKind, SpicaErrorOptions } from './errors.js'
export { formatIssue, SpicaConfigError, SpicaError } from './errors.js'
