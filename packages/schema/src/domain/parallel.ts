export type DeploymentMode = 'agg' | 'disagg'
export type Backend = 'vllm' | 'sglang' | 'trtllm'
export type Role = 'agg' | 'prefill' | 'decode'

/** How one worker splits a model over its GPUs. GPUs per worker = tp · attentionDp = moeTp · moeEp for MoE, = tp for dense. */
export interface WorkerShape {
  readonly tp: number
  readonly attentionDp: number
  readonly moeTp: number
  readonly moeEp: number
}

export interface ReplicatedShape extends WorkerShape {
  /** Number of identical workers. */
  readonly replicas: number
}

/** One legal deployment: a replicated shape, or a prefill and a decode pool. pp is always 1. */
export type ParallelConfig =
  | { readonly mode: 'agg'; readonly agg: ReplicatedShape }
  | { readonly mode: 'disagg'; readonly prefill: ReplicatedShape; readonly decode: ReplicatedShape }

/** GPUs one worker of this shape occupies. */
export function gpusPerWorker(shape: WorkerShape): number {
  return shape.tp * shape.attentionDp
}

/** GPUs a whole deployment occupies. */
export function usedGpus(config: ParallelConfig): number {
  if (config.mode === 'agg') return gpusPerWorker(config.agg) * config.agg.replicas
  return gpusPerWorker(config.prefill) * config.prefill.replicas + gpusPerWorker(config.decode) * config.decode.replicas
}
