import type { Backend, HardwareSpec, KvFormat, ModelSpec, WorkerShape } from '@spica/schema'
import type { PassPlan, PlannedOperator } from './kernel.js'
import { phasePrefix, planMixers } from './plan-attention.js'
import { planFeedForward } from './plan-feed-forward.js'
import { servingFormats } from './serving-formats.js'

/** What is timed: a model on a GPU type, served by a backend, one worker of a shape. */
export interface PassSubject {
  readonly model: ModelSpec
  readonly hardware: HardwareSpec
  readonly backend: Backend
  readonly shape: WorkerShape
  /** Format of the KV cache; default the checkpoint's. */
  readonly kvCacheDtype?: KvFormat
}

/**
 * The operators of one engine pass, in execution order. Times of all operators × their counts add up to the pass. First dense
 * layers of a mostly-MoE model count as MoE layers, and with `measuredReference` the operator list is exactly the one behind
 * the measured reference rows (no logits in the prefill of plain MoE models).
 */
export function planPass(subject: PassSubject, measuredReference = false): PassPlan {
  return {
    prefill: planPhase('prefill', subject, measuredReference),
    decode: planPhase('decode', subject, measuredReference),
  }
}

function planPhase(
  phase: 'prefill' | 'decode',
  subject: PassSubject,
  measuredReference: boolean,
): readonly PlannedOperator[] {
  const { model, hardware, backend, shape } = subject
  const formats = servingFormats(model, hardware, backend, subject.kvCacheDtype)
  const prefix = phasePrefix(phase)
  const hidden = model.hiddenSize
  const norm = { kind: 'elementwise', bytesPerToken: 8 * hidden } as const
  const reduce = { kind: 'all-reduce', elementsPerToken: hidden, gpus: shape.tp } as const
  const mixers = model.layerGroups.filter((group) => group.mixer !== 'none').reduce((sum, g) => sum + g.count, 0)
  const blocks = model.layerGroups.filter((group) => group.mixer === 'none').reduce((sum, g) => sum + g.count, 0)
  const feedForward = blocks > 0 ? blocks : model.layers
  const latent = model.mla !== null
  const operators: PlannedOperator[] = [
    { name: `${prefix}_embedding`, count: 1, kernel: { kind: 'elementwise', bytesPerToken: 2 * hidden } },
    { name: `${prefix}_add_norm_1`, count: mixers, kernel: norm },
    ...planMixers(phase, model, shape, formats),
    { name: `${prefix}_add_norm_2`, count: feedForward, kernel: norm },
    ...planFeedForward(phase, model, hardware, backend, shape, formats),
  ]
  const skipLogits = measuredReference && phase === 'prefill' && model.moe !== null && !latent
  if (!skipLogits) {
    operators.push({
      name: `${prefix}_logits_gemm`,
      count: 1,
      kernel: { kind: 'gemm', n: model.vocabSize / shape.tp, k: hidden, format: 'bfloat16', rows: 'sequences' },
    })
  }
  if (shape.tp > 1) {
    if (!latent) operators.push({ name: `${prefix}_embedding_ar`, count: 1, kernel: reduce })
    if (model.moe === null) {
      operators.push({ name: `${prefix}_ar_1`, count: mixers, kernel: reduce })
      operators.push({ name: `${prefix}_ar_2`, count: feedForward, kernel: reduce })
    } else if (latent && model.indexer === null && backend === 'vllm') {
      operators.push({ name: `${prefix}_tp_allreduce`, count: 2 * model.layers, kernel: reduce })
    }
  }
  return operators
}
