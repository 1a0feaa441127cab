import type { Backend, EngineSettings, ModelSpec } from '@spica/schema'

/**
 * Bytes of activations per batched token and element of width, by tensor-parallel size 1, 2, 4 and ≥ 8. Measured by upstream on
 * Llama-like dense models; models with experts need twice as much.
 */
const COEFFICIENTS: Readonly<Record<'sglang' | 'other', readonly [number, number, number, number]>> = {
  sglang: [14, 8.5, 6.5, 6.5],
  other: [11, 6.5, 5, 5],
}

const MIB = 2 ** 20
const SMALLEST: Readonly<Record<'sglang' | 'other', number>> = { sglang: 90 * MIB, other: 70 * MIB }

/** SGLang keeps this much more than its kernels need. */
export const SGLANG_ACTIVATION_MARGIN: number = 1.15

/** `2 · tokens · width · c`, at least 70 MiB (SGLang 90 MiB), before SGLang's margin. */
export function tokenActivationBytes(
  backend: Backend,
  batchedTokens: number,
  width: number,
  tp: number,
  hasExperts: boolean,
): number {
  const engine = backend === 'sglang' ? 'sglang' : 'other'
  const [one, two, four, eight] = COEFFICIENTS[engine]
  const c = (tp >= 8 ? eight : tp >= 4 ? four : tp >= 2 ? two : one) * (hasExperts ? 2 : 1)
  return Math.max(2 * batchedTokens * width * c, SMALLEST[engine])
}

/**
 * Peak activations of one rank: those of the largest batch of tokens, or the float32 logits and probabilities of all sequences
 * at the sampler where they are larger. The width is heads · headDim, for latent attention the hidden size.
 */
export function activationBytes(model: ModelSpec, backend: Backend, settings: EngineSettings, tp: number): number {
  const width = model.mla === null ? model.heads * model.headDim : model.hiddenSize
  const tokens = tokenActivationBytes(backend, settings.maxNumBatchedTokens, width, tp, model.moe !== null)
  const sampler = 2 * 4 * settings.maxNumSeqs * model.vocabSize
  return Math.ceil(Math.max(tokens, sampler) * (backend === 'sglang' ? SGLANG_ACTIVATION_MARGIN : 1))
}
