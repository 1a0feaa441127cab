import { OBJECTIVE_NAMES, type ObjectiveName, objectiveDirection, objectiveUnit } from '@spica/scorer'
import type { PercentileRow, ReportMeasure, ReportObjective } from './report-data.js'

const OBJECTIVE_LABELS: Readonly<Record<ObjectiveName, string>> = {
  throughput: 'Throughput',
  throughput_per_gpu: 'Throughput per GPU',
  throughput_per_user: 'Throughput per user',
  e2e_latency: 'End-to-end latency',
  goodput: 'Goodput',
  goodput_per_gpu: 'Goodput per GPU',
}

/** Report figures worth a column or an axis, in this order. */
const MEASURES: readonly ReportMeasure[] = [
  { name: 'mean_ttft_ms', label: 'Mean TTFT', unit: 'ms', table: true },
  { name: 'mean_tpot_ms', label: 'Mean TPOT', unit: 'ms', table: true },
  { name: 'p99_ttft_ms', label: 'p99 TTFT', unit: 'ms', table: false },
  { name: 'p99_itl_ms', label: 'p99 ITL', unit: 'ms', table: false },
  { name: 'mean_e2e_latency_ms', label: 'Mean end-to-end latency', unit: 'ms', table: false },
  { name: 'output_throughput_tok_s', label: 'Output throughput', unit: 'tok/s', table: false },
  { name: 'mean_output_token_throughput_per_user', label: 'Output per user', unit: 'tok/s/user', table: false },
  { name: 'goodput_output_throughput_tok_s', label: 'Goodput', unit: 'tok/s', table: false },
  { name: 'prefix_cache_reused_ratio', label: 'Prefix reuse', unit: '', table: false },
  { name: 'gpu_hours', label: 'GPU-hours', unit: 'h', table: false },
]

/** Metric that an objective shows as it is; a measure of the same figure would be shown twice. */
const SAME_FIGURE: Readonly<Record<string, string>> = {
  throughput: 'output_throughput_tok_s',
  throughput_per_user: 'mean_output_token_throughput_per_user',
  e2e_latency: 'mean_e2e_latency_ms',
  goodput: 'goodput_output_throughput_tok_s',
}

const LATENCIES: readonly (readonly [key: string, label: string, unit: string])[] = [
  ['ttft_ms', 'Time to first token', 'ms'],
  ['itl_ms', 'Inter-token latency', 'ms'],
  ['tpot_ms', 'Time per output token', 'ms'],
  ['e2e_latency_ms', 'End to end', 'ms'],
  ['output_token_throughput_per_user', 'Output per user', 'tok/s'],
]
const STATISTICS = ['mean', 'median', 'p75', 'p90', 'p95', 'p99', 'max'] as const

/** Label, unit and direction of an objective; an unknown name stands for itself and is maximised. */
export function reportObjective(name: string): ReportObjective {
  if (!(OBJECTIVE_NAMES as readonly string[]).includes(name))
    return { name, label: name, unit: '', direction: 'maximize' }
  const known = name as ObjectiveName
  return { name, label: OBJECTIVE_LABELS[known], unit: objectiveUnit(known), direction: objectiveDirection(known) }
}

/** Measures that at least one of `metrics` has and that no objective shows already. */
export function presentMeasures(
  metrics: readonly Readonly<Record<string, number>>[],
  objectives: readonly string[],
): ReportMeasure[] {
  const shown = new Set(objectives.map((name) => SAME_FIGURE[name]))
  return MEASURES.filter(({ name }) => !shown.has(name) && metrics.some((one) => one[name] !== undefined))
}

/** Latency table of one replay; rows that the metrics lack are left out. */
export function percentileRows(metrics: Readonly<Record<string, number>>): PercentileRow[] {
  return LATENCIES.filter(([key]) => metrics[`p99_${key}`] !== undefined).map(([key, label, unit]) => ({
    label,
    unit,
    values: STATISTICS.map((statistic) => metrics[`${statistic}_${key}`] ?? null),
  }))
}
