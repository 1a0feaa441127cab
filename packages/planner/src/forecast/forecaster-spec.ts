import type { LoadPredictorFamily, PlannerConfig } from '../config/planner-config.js'

/** Which forecaster, with its knobs; a preset or a user's dictionary, completed with defaults. */
export interface ForecasterSpec {
  readonly family: LoadPredictorFamily
  /** Fit ln(1 + y) instead of y; `constant` has no use for it. */
  readonly log1p: boolean
  /** Points Prophet keeps. */
  readonly windowSize: number
  readonly qLevel: number
  readonly qTrend: number
  readonly r: number
  /** Points before a Kalman forecast counts. */
  readonly minPoints: number
  /** Seconds between points: Prophet's time axis. */
  readonly intervalSeconds: number
}

export function forecasterSpecOf(config: PlannerConfig): ForecasterSpec {
  return {
    family: config.load_predictor,
    log1p: config.load_predictor_log1p,
    windowSize: config.prophet_window_size,
    qLevel: config.kalman_q_level,
    qTrend: config.kalman_q_trend,
    r: config.kalman_r,
    minPoints: config.kalman_min_points,
    intervalSeconds: config.throughput_adjustment_interval_seconds,
  }
}
