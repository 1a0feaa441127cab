/** Why a load decision came out as it did; the strings are upstream's. */
export type LoadReason =
  | 'disabled'
  | 'no_fpm_data'
  | 'scaling_in_progress'
  | 'worker_count_mismatch'
  | 'insufficient_data'
  | 'scale_down_refused_consolidation'
  | 'scale_down_capped_by_throughput'
  | 'scale_up'
  | 'scale_down'
  | 'no_change'

/** Opinion of one sub-decision: a worker count, or null for none, with the reason when there is something to say. */
export interface LoadVerdict {
  readonly desired: number | null
  readonly reason: LoadReason | null
  /** Largest estimate over the workers, ms, when one was made. */
  readonly estimateMs?: number
}

export function noOpinion(reason: LoadReason): LoadVerdict {
  return { desired: null, reason }
}
