import type { LoadReason } from './load-scaling/load-verdict.js'

export type ThroughputReason = 'model_not_ready' | 'partner_not_ready' | 'no_traffic_data' | 'set_lower_bound' | 'scale'

/** What one tick saw and decided; keys absent when they did not arise. Times in ms. */
export interface TickDiagnostics {
  readonly atMs: number
  loadReason?: LoadReason
  loadReasonPrefill?: LoadReason
  loadReasonDecode?: LoadReason
  throughputReason?: ThroughputReason
  throughputReasonPrefill?: ThroughputReason
  throughputReasonDecode?: ThroughputReason
  estimatedTtftMs?: number
  estimatedItlMs?: number
  predictedRequests?: number
  predictedIsl?: number
  predictedOsl?: number
  engineRpsPrefill?: number
  engineRpsDecode?: number
  lowerBoundPrefill?: number
  lowerBoundDecode?: number
}

/** A change of a worker count that was asked for. `component` is `agg` when there is one pool. */
export interface ScalingEvent {
  readonly atMs: number
  readonly component: 'agg' | 'prefill' | 'decode'
  readonly from: number
  readonly to: number
  readonly reason: 'scale_up' | 'scale_down'
}
