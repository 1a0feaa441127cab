import { z } from 'zod'
import type { FpmSamplingEntry } from '../presets/fpm-sampling.js'
import type { LoadPredictorEntry } from '../presets/load-predictors.js'
import type { LoadSensitivityEntry } from '../presets/load-sensitivity.js'
import type { ScalingPolicyEntry } from '../presets/scaling-policies.js'
import { SEARCH_MENUS } from './menus.js'
import { nonNegativeNumber, positiveNumber, wholeNumber } from './numeric-fields.js'

const scalingPolicy = z.strictObject({
  enable_throughput_scaling: z.boolean(),
  enable_load_scaling: z.boolean(),
  throughput_adjustment_interval_seconds: positiveNumber().nullable(),
  load_adjustment_interval_seconds: positiveNumber().nullable(),
})

const fpmSampling = z.strictObject({
  max_num_fpm_samples: wholeNumber(1, 1_000_000),
  fpm_sample_bucket_size: wholeNumber(1, 1_000_000).meta({ description: 'Number of buckets, a perfect square.' }),
})

const loadSensitivity = z.strictObject({
  load_scaling_down_sensitivity: z.number().gt(0).max(100).meta({ description: 'Percent.' }),
  load_min_observations: wholeNumber(1, 1_000_000),
})

const loadPredictor = z.strictObject({
  load_predictor: z.enum(['constant', 'arima', 'prophet', 'kalman']),
  load_predictor_log1p: z.boolean().exactOptional(),
  prophet_window_size: wholeNumber(1, 1_000_000).exactOptional(),
  kalman_q_level: nonNegativeNumber().exactOptional(),
  kalman_q_trend: nonNegativeNumber().exactOptional(),
  kalman_r: positiveNumber().exactOptional(),
  kalman_min_points: wholeNumber(1, 1_000_000).exactOptional(),
})

export type EntryList<T> = z.ZodType<T[], T[] | undefined>

function entryList(menu: readonly string[], fields: z.ZodObject, description: string): z.ZodType {
  return z
    .array(z.union([z.literal([...menu]), fields]))
    .min(1)
    .default(() => [...menu])
    .meta({ description })
}

export const scalingPolicyList: EntryList<ScalingPolicyEntry> = entryList(
  SEARCH_MENUS.planner_scaling_policy,
  scalingPolicy,
  'Autoscaling policies to try: presets, or mappings of all four fields (seconds).',
) as EntryList<ScalingPolicyEntry>

export const fpmSamplingList: EntryList<FpmSamplingEntry> = entryList(
  SEARCH_MENUS.planner_fpm_sampling,
  fpmSampling,
  'Forward-pass samplings of the planner to try: presets, or mappings of both fields.',
) as EntryList<FpmSamplingEntry>

export const loadSensitivityList: EntryList<LoadSensitivityEntry> = entryList(
  SEARCH_MENUS.planner_load_sensitivity,
  loadSensitivity,
  'Scale-down sensitivities of the planner to try: presets, or mappings of both fields.',
) as EntryList<LoadSensitivityEntry>

export const loadPredictorList: EntryList<LoadPredictorEntry> = entryList(
  SEARCH_MENUS.load_predictor_candidates,
  loadPredictor,
  'Traffic forecasters compared for throughput scaling: presets, or mappings with `load_predictor`.',
) as EntryList<LoadPredictorEntry>

/** Keys of the mappings that planner lists may hold. */
export const plannerEntryKeys: Readonly<Record<string, readonly string[]>> = {
  planner_scaling_policy: Object.keys(scalingPolicy.shape),
  planner_fpm_sampling: Object.keys(fpmSampling.shape),
  planner_load_sensitivity: Object.keys(loadSensitivity.shape),
  load_predictor_candidates: Object.keys(loadPredictor.shape),
}
