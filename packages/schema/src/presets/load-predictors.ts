export type LoadPredictorFamily = 'constant' | 'arima' | 'prophet' | 'kalman'

/** A forecaster as a config may give it; what is left out takes the default of its family. */
export interface LoadPredictorFields {
  readonly load_predictor: LoadPredictorFamily
  /** Forecast log(1 + x) instead of x. Default: false. */
  readonly load_predictor_log1p?: boolean
  /** Windows Prophet looks back on. Default: 50. */
  readonly prophet_window_size?: number
  /** Process variance of the level. Default: 1. */
  readonly kalman_q_level?: number
  /** Process variance of the trend. Default: 0.1. */
  readonly kalman_q_trend?: number
  /** Measurement variance. Default: 10. */
  readonly kalman_r?: number
  /** Points before the filter forecasts. Default: 5. */
  readonly kalman_min_points?: number
}

export type LoadPredictorName =
  | 'constant_last'
  | 'arima_raw'
  | 'arima_log1p'
  | 'prophet_w20_raw'
  | 'prophet_w20_log1p'
  | 'prophet_w50_raw'
  | 'prophet_w50_log1p'
  | 'kalman_default_raw'
  | 'kalman_default_log1p'
  | 'kalman_reactive_raw'
  | 'kalman_reactive_log1p'

/** A forecaster as a config lists it: the name of a preset, or its fields. */
export type LoadPredictorEntry = LoadPredictorName | LoadPredictorFields

/** A forecaster with every field its family reads, and no other. */
export interface LoadPredictor extends LoadPredictorFields {
  readonly load_predictor_log1p: boolean
}

/**
 * The fields behind a listed forecaster: family, `load_predictor_log1p`, then the knobs of that family alone, with
 * defaults filled in. Knobs of other families are left out.
 */
export function resolveLoadPredictor(entry: LoadPredictorEntry): LoadPredictor {
  const given: LoadPredictorFields = typeof entry === 'string' ? LOAD_PREDICTOR_PRESETS[entry] : entry
  const base = { load_predictor: given.load_predictor, load_predictor_log1p: given.load_predictor_log1p ?? false }
  if (given.load_predictor === 'prophet') return { ...base, prophet_window_size: given.prophet_window_size ?? 50 }
  if (given.load_predictor !== 'kalman') return base
  return {
    ...base,
    kalman_q_level: given.kalman_q_level ?? 1,
    kalman_q_trend: given.kalman_q_trend ?? 0.1,
    kalman_r: given.kalman_r ?? 10,
    kalman_min_points: given.kalman_min_points ?? 5,
  }
}

function prophet(prophet_window_size: number, load_predictor_log1p: boolean): LoadPredictor {
  return { load_predictor: 'prophet', load_predictor_log1p, prophet_window_size }
}

function kalman(level: number, trend: number, r: number, minPoints: number, log1p: boolean): LoadPredictor {
  return {
    load_predictor: 'kalman',
    load_predictor_log1p: log1p,
    kalman_q_level: level,
    kalman_q_trend: trend,
    kalman_r: r,
    kalman_min_points: minPoints,
  }
}

/** The named forecasters, in the order in which ties between them are broken. */
export const LOAD_PREDICTOR_PRESETS: Readonly<Record<LoadPredictorName, LoadPredictor>> = {
  constant_last: { load_predictor: 'constant', load_predictor_log1p: false },
  arima_raw: { load_predictor: 'arima', load_predictor_log1p: false },
  arima_log1p: { load_predictor: 'arima', load_predictor_log1p: true },
  prophet_w20_raw: prophet(20, false),
  prophet_w20_log1p: prophet(20, true),
  prophet_w50_raw: prophet(50, false),
  prophet_w50_log1p: prophet(50, true),
  kalman_default_raw: kalman(1, 0.1, 10, 5, false),
  kalman_default_log1p: kalman(1, 0.1, 10, 5, true),
  kalman_reactive_raw: kalman(10, 1, 5, 3, false),
  kalman_reactive_log1p: kalman(10, 1, 5, 3, true),
}
