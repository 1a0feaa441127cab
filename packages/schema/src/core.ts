export type { Compat } from './config/compat.js'
export { COMPAT_NAMES } from './config/compat.js'
export type { GoalConfig, GoalTarget, PlannerTarget, ScalarTarget, SlaConfig } from './config/goal.js'
export { goalObjectives, isMaximized, needsSla, plannerTarget } from './config/goal.js'
export type { RouterMode, SearchMenus } from './config/menus.js'
export { SEARCH_MENUS } from './config/menus.js'
export type { PinnedPair, PinnedParallelConfig, PinnedShape } from './config/parallel-pins.js'
export { isPinnedPair } from './config/parallel-pins.js'
export type { PerfConfig, PerfModelName } from './config/perf.js'
export { resolvePerfModel } from './config/perf.js'
export type { SearchSpaceConfig } from './config/search-space.js'
export { SEARCH_SPACE_DEFAULTS } from './config/search-space-defaults.js'
export type { SpicaConfig } from './config/spica-config.js'
export type { SweepConfig } from './config/sweep.js'
export type { KvLoadRatio, TraceFormat, WorkloadConfig } from './config/workload.js'
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
export { closestMatch } from './load/closest-match.js'
export type { FpmSampling, FpmSamplingEntry, FpmSamplingName } from './presets/fpm-sampling.js'
export { FPM_SAMPLING_PRESETS, resolveFpmSampling } from './presets/fpm-sampling.js'
export type {
  LoadPredictor,
  LoadPredictorEntry,
  LoadPredictorFamily,
  LoadPredictorFields,
  LoadPredictorName,
} from './presets/load-predictors.js'
export { LOAD_PREDICTOR_PRESETS, resolveLoadPredictor } from './presets/load-predictors.js'
export type { LoadSensitivity, LoadSensitivityEntry, LoadSensitivityName } from './presets/load-sensitivity.js'
export { LOAD_SENSITIVITY_PRESETS, resolveLoadSensitivity } from './presets/load-sensitivity.js'
export type { ScalingPolicy, ScalingPolicyEntry, ScalingPolicyName } from './presets/scaling-policies.js'
export { PLANNER_SCALING_POLICIES, resolveScalingPolicy, scalesWorkers } from './presets/scaling-policies.js'
export type { DeploymentOptions, DeploymentPlan, DeploymentResult } from './sample/deployment-plan.js'
export { deploymentPlan } from './sample/deployment-plan.js'
export type { KnobEncoding, KnobOptions } from './sample/knob-encoding.js'
export { knobParameters, selectionFromParameters } from './sample/knob-encoding.js'
export type { KvLoadFields, KvLoadQuery, KvLoadResult, RoleKvFigures } from './sample/kv-load.js'
export { resolveKvLoad } from './sample/kv-load.js'
export type { PolicyDropReason, PolicyFilter } from './sample/scaling-policy-filter.js'
export { distinctScalingPolicies, filterScalingPolicies, throughputIntervals } from './sample/scaling-policy-filter.js'
export type { KnobName, Selection } from './sample/selection.js'
export type { UnrollOptions } from './sample/unroll-sample.js'
export { shapeStrategy, unrollSample } from './sample/unroll-sample.js'
export type { ShapeStrategy, UnrolledSample } from './sample/unrolled-sample.js'
export { resolveArrivalIntervalMs, resolveRequestCount } from './sample/workload-load.js'
export type { StarterOptions } from './starter-config.js'
export { starterConfigYaml } from './starter-config.js'
