import type { ReportMetrics } from './objectives.js'

/** The report keys a candidate keeps in its record, in this order. */
export const METRIC_KEYS = [
  'output_throughput_tok_s',
  'mean_ttft_ms',
  'mean_tpot_ms',
  'mean_e2e_latency_ms',
  'mean_output_token_throughput_per_user',
  'goodput_output_throughput_tok_s',
  'gpu_hours',
  'duration_ms',
  'planner_total_ticks',
] as const

export type MetricKey = (typeof METRIC_KEYS)[number]

/** The kept metrics that the report has. */
export function keptMetrics(report: ReportMetrics): Partial<Record<MetricKey, number>> {
  const kept: Partial<Record<MetricKey, number>> = {}
  for (const key of METRIC_KEYS) {
    const value = report[key]
    if (value !== undefined && value !== null) kept[key] = value
  }
  return kept
}
