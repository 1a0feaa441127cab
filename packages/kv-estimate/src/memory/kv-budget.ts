import type { Backend } from '@spica/schema'

/** Parts of a GPU's memory, bytes. */
export interface MemoryParts {
  readonly capacityBytes: number
  readonly weightsBytes: number
  readonly activationsBytes: number
  readonly runtimeOverheadBytes: number
  readonly commOverheadBytes: number
}

export function nonKvBytes(parts: MemoryParts): number {
  return parts.weightsBytes + parts.activationsBytes + parts.runtimeOverheadBytes + parts.commOverheadBytes
}

/**
 * Bytes left for the cache. vLLM gives a fraction of the whole memory to weights, activations, overheads and cache together.
 * TensorRT-LLM gives a fraction of what is free once everything else is there. SGLang sizes weights and cache together as a static
 * fraction of what is free at start; activations live in the rest, and shrink the pool only when the rest is too small for them.
 */
export function kvBudgetBytes(backend: Backend, fraction: number, parts: MemoryParts): number {
  const free = parts.capacityBytes - nonKvBytes(parts)
  if (backend === 'trtllm') return fraction * free
  if (backend === 'vllm') return fraction * parts.capacityBytes - nonKvBytes(parts)
  const atStart = parts.capacityBytes - parts.runtimeOverheadBytes - parts.commOverheadBytes
  return Math.min(fraction * atStart - parts.weightsBytes, free)
}
