import { type LoadPredictorFields, resolveLoadPredictor } from '../presets/load-predictors.js'
import type { ScalingPolicy } from '../presets/scaling-policies.js'
import type { Draft, RuleReport } from './draft.js'

/** Values of hand-written planner entries that the planner would refuse later. */
export function plannerRules(draft: Draft, report: RuleReport): void {
  for (const [index, entry] of draft.entries('planner_scaling_policy')) {
    if (typeof entry === 'object') scalingPolicy(entry, ['search_space', 'planner_scaling_policy', index], report)
  }
  for (const [index, entry] of draft.entries('planner_fpm_sampling')) {
    if (typeof entry === 'string') continue
    const buckets = entry.fpm_sample_bucket_size
    const root = Math.round(Math.sqrt(buckets))
    if (root * root === buckets) continue
    const path = ['search_space', 'planner_fpm_sampling', index, 'fpm_sample_bucket_size']
    const hint = `the nearest is ${root * root}`
    report.problem(path, 'not-a-square', `must be a perfect square, not ${buckets}`, hint)
  }
  for (const [index, entry] of draft.entries('load_predictor_candidates')) {
    if (typeof entry === 'object') foreignKnobs(entry, ['search_space', 'load_predictor_candidates', index], report)
  }
}

/** Knobs that the family of the forecaster does not read. */
function foreignKnobs(fields: LoadPredictorFields, path: (string | number)[], report: RuleReport): void {
  const read = Object.keys(resolveLoadPredictor(fields))
  for (const knob of Object.keys(fields)) {
    if (read.includes(knob)) continue
    report.warning([...path, knob], 'no-effect', `has no effect on a ${fields.load_predictor} forecaster`)
  }
}

function scalingPolicy(policy: ScalingPolicy, path: (string | number)[], report: RuleReport): void {
  const throughputSeconds = policy.throughput_adjustment_interval_seconds
  const loadSeconds = policy.load_adjustment_interval_seconds
  const throughput = policy.enable_throughput_scaling
  const scales = throughput || policy.enable_load_scaling
  const throughputPath = [...path, 'throughput_adjustment_interval_seconds']
  const loadPath = [...path, 'load_adjustment_interval_seconds']
  if (throughput && throughputSeconds === null) {
    report.problem(throughputPath, 'interval-missing', 'must be a number of seconds when throughput scaling is on')
  }
  if (scales && loadSeconds === null) {
    report.problem(loadPath, 'interval-missing', 'must be a number of seconds when scaling is on')
  }
  wholeMilliseconds(throughputSeconds, throughputPath, report)
  wholeMilliseconds(loadSeconds, loadPath, report)
  if (throughput && policy.enable_load_scaling && throughputSeconds !== null && loadSeconds !== null) {
    if (loadSeconds >= throughputSeconds) {
      const message = `must be shorter than the throughput interval (${throughputSeconds} s), not ${loadSeconds} s`
      report.problem(loadPath, 'interval-order', message)
    }
  }
}

/** The planner ticks in whole milliseconds. */
function wholeMilliseconds(seconds: number | null, path: (string | number)[], report: RuleReport): void {
  if (seconds === null) return
  const milliseconds = seconds * 1000
  const near = Math.round(milliseconds)
  if (near >= 1 && Math.abs(milliseconds - near) <= 1e-9 * near) return
  report.problem(path, 'interval-resolution', `must be a whole number of milliseconds, not ${seconds} s`)
}
