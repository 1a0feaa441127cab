import { estimateKv, type KvEstimate } from '@spica/kv-estimate'
import type { Backend, Compat, EvaluationPlan, HardwareSpec, ModelSpec, Role } from '@spica/schema'
import { engineSettingsOf, shapeOf } from './role-shape.js'

export interface KvSubject {
  readonly model: ModelSpec
  readonly hardware: HardwareSpec
  readonly compat: readonly Compat[]
}

/** Memory of one rank of a role, with the candidate's own batching and memory settings. */
export function roleKvEstimate(subject: KvSubject, sample: EvaluationPlan, role: Role): KvEstimate {
  const context = sample['context_length']
  return estimateKv({
    model: subject.model,
    hardware: subject.hardware,
    backend: sample['backend'] as Backend,
    shape: shapeOf(sample, role),
    settings: engineSettingsOf(sample, role),
    nextn: Number(sample['aic_nextn'] ?? 0),
    ...(typeof context === 'number' ? { maxSequenceTokens: context } : {}),
    ...(subject.compat.includes('aic-0.11') ? { compat: 'aic-0.11' as const } : {}),
  })
}
