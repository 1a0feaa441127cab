import type { Forecaster } from '@spica/schema/core'
import { ArimaForecaster } from './arima-forecaster.js'
import { ConstantForecaster } from './constant-forecaster.js'
import type { ForecasterSpec } from './forecaster-spec.js'
import { KalmanForecaster } from './kalman-forecaster.js'
import { ProphetForecaster } from './prophet-forecaster.js'

/** The forecaster a spec names. */
export function createForecaster(spec: ForecasterSpec): Forecaster {
  switch (spec.family) {
    case 'constant':
      return new ConstantForecaster()
    case 'kalman':
      return new KalmanForecaster(spec)
    case 'prophet':
      return new ProphetForecaster(spec)
    case 'arima':
      return new ArimaForecaster(spec)
  }
}
