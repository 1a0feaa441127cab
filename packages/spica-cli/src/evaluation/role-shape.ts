import type { EngineSettings, EvaluationPlan, Role, WorkerShape } from '@spica/schema'

/** Roles of a sample's deployment. */
export function rolesOf(sample: EvaluationPlan): readonly Role[] {
  return sample['deployment_mode'] === 'disagg' ? ['prefill', 'decode'] : ['agg']
}

/** Shape of one worker of a role in an unrolled sample. */
export function shapeOf(sample: EvaluationPlan, role: Role): WorkerShape {
  const value = (name: string) => Number(sample[role === 'agg' ? name : `${role}_${name}`])
  return { tp: value('tp'), attentionDp: value('attention_dp'), moeTp: value('moe_tp'), moeEp: value('moe_ep') }
}

/** Batching and memory settings of a role in an unrolled sample. */
export function engineSettingsOf(sample: EvaluationPlan, role: Role): EngineSettings {
  return {
    maxNumBatchedTokens: Number(sample[`${role}_max_num_batched_tokens`]),
    maxNumSeqs: Number(sample[`${role}_max_num_seqs`]),
    memoryFraction: Number(sample[`${role}_gpu_memory_utilization`]),
  }
}
