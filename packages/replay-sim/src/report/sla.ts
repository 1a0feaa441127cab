/** Goodput thresholds, ms, finite and ≥ 0; at least one for goodput keys to appear. */
export interface SlaThresholds {
  readonly ttftMs?: number
  readonly itlMs?: number
  readonly e2eMs?: number
}
