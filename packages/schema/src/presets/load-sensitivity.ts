/** How eagerly load scaling gives workers back. */
export interface LoadSensitivity {
  /** Percent of the latency target that must still hold after a worker is removed; 1 to 100. */
  readonly load_scaling_down_sensitivity: number
  /** Observations the regression needs before it is trusted. */
  readonly load_min_observations: number
}

export type LoadSensitivityName = 'aggressive' | 'default' | 'conservative'

/** A sensitivity as a config lists it: the name of a preset, or both fields. */
export type LoadSensitivityEntry = LoadSensitivityName | LoadSensitivity

/** The named sensitivities, in the order in which they are searched by default. */
export const LOAD_SENSITIVITY_PRESETS: Readonly<Record<LoadSensitivityName, LoadSensitivity>> = {
  aggressive: { load_scaling_down_sensitivity: 70, load_min_observations: 3 },
  default: { load_scaling_down_sensitivity: 80, load_min_observations: 5 },
  conservative: { load_scaling_down_sensitivity: 90, load_min_observations: 8 },
}

/** The fields behind a listed sensitivity. */
export function resolveLoadSensitivity(entry: LoadSensitivityEntry): LoadSensitivity {
  return typeof entry === 'string' ? LOAD_SENSITIVITY_PRESETS[entry] : entry
}
