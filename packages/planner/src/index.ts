export type { CapabilityOptions, EngineCapabilities } from './config/capabilities.js'
export { capabilitiesOf } from './config/capabilities.js'
export type { LoadPredictorFamily, OptimizationTarget, PlannerConfig } from './config/planner-config.js'
export { PLANNER_DEFAULTS, resolvePlannerConfig } from './config/planner-config.js'
export { createForecaster } from './forecast/create-forecaster.js'
export type { ForecasterSpec } from './forecast/forecaster-spec.js'
export { forecasterSpecOf } from './forecast/forecaster-spec.js'
export type { LoadReason } from './load-scaling/load-verdict.js'
export type { PlannerOptions, SpicaPlanner } from './planner.js'
export { createPlanner } from './planner.js'
export type { PredictorCandidate, PredictorSweepResult } from './predictor-sweep/sweep-predictors.js'
export {
  FALLBACK_PREDICTOR,
  forecastWindows,
  predictorLoss,
  sweepPredictors,
} from './predictor-sweep/sweep-predictors.js'
export type { TraceColumns, TraceWindow } from './predictor-sweep/traffic-windows.js'
export { carryIdleShapes, traceWindows } from './predictor-sweep/traffic-windows.js'
export type { ScalingEvent, ThroughputReason, TickDiagnostics } from './tick-diagnostics.js'
