/** How many forward-pass observations the planner's regression keeps, and over how many buckets it spreads them. */
export interface FpmSampling {
  readonly max_num_fpm_samples: number
  /** Number of buckets; a perfect square, since two-dimensional stores use its root per axis. */
  readonly fpm_sample_bucket_size: number
}

export type FpmSamplingName = 'small' | 'default' | 'large' | 'fine'

/** A sampling as a config lists it: the name of a preset, or both fields. */
export type FpmSamplingEntry = FpmSamplingName | FpmSampling

/** The named forward-pass samplings, in the order in which they are searched by default. */
export const FPM_SAMPLING_PRESETS: Readonly<Record<FpmSamplingName, FpmSampling>> = {
  small: { max_num_fpm_samples: 32, fpm_sample_bucket_size: 4 },
  default: { max_num_fpm_samples: 64, fpm_sample_bucket_size: 16 },
  large: { max_num_fpm_samples: 128, fpm_sample_bucket_size: 16 },
  fine: { max_num_fpm_samples: 128, fpm_sample_bucket_size: 64 },
}

/** The fields behind a listed sampling. */
export function resolveFpmSampling(entry: FpmSamplingEntry): FpmSampling {
  return typeof entry === 'string' ? FPM_SAMPLING_PRESETS[entry] : entry
}
