import { type Forecaster, SpicaError } from '@spica/schema'
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
    default:
      throw new SpicaError('input', 'unknown-forecaster', `forecaster ${spec.family} is not available`)
  }
}
