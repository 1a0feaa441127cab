/** A worker shape the user pins. What is left out counts as 1. */
export interface PinnedShape {
  readonly tp: number
  readonly attention_dp?: number
  readonly moe_tp?: number
  readonly moe_ep?: number
  readonly pp?: number
  readonly replicas?: number
}

export interface PinnedPair {
  readonly prefill: PinnedShape
  readonly decode: PinnedShape
}

/** An entry of `parallel_configs`: one shape under agg, a pair under disagg. */
export type PinnedParallelConfig = PinnedShape | PinnedPair

export function isPinnedPair(pin: PinnedParallelConfig): pin is PinnedPair {
  return 'prefill' in pin
}
