import { backendRule, createKvFitRule, divisibilityRule, quantisationRule } from '@spica/kv-estimate'
import type { RuleSet } from '@spica/parallel-enum'
import type { Compat, EngineSettings, HardwareSpec, ModelSpec, Role, SearchSpaceConfig } from '@spica/schema'

/** Rules on model, backend and memory, in the order they are asked, for the candidates a search space can have. */
export function shapeRules(
  space: SearchSpaceConfig,
  model: ModelSpec,
  hardware: HardwareSpec,
  compat: readonly Compat[],
): RuleSet {
  const kvFit = createKvFitRule({
    ...(compat.includes('aic-0.11') ? { compat: 'aic-0.11' as const } : {}),
    ...(space.aic_nextn === null ? {} : { nextn: space.aic_nextn }),
  })
  return {
    rules: [divisibilityRule, quantisationRule, backendRule, kvFit],
    contextFor: (backend, role) => ({
      model,
      hardware,
      backend,
      role,
      maxSequenceTokens: space.context_length ?? model.contextLength,
      engineSettings: listedSettings(space, role),
    }),
  }
}

/** Every combination of batching limits that a role's candidates can have. */
export function listedSettings(space: SearchSpaceConfig, role: Role): readonly EngineSettings[] {
  return space[`${role}_max_num_batched_tokens`].flatMap((maxNumBatchedTokens) =>
    space[`${role}_max_num_seqs`].map((maxNumSeqs) => ({
      maxNumBatchedTokens,
      maxNumSeqs,
      memoryFraction: space[`${role}_gpu_memory_utilization`],
    })),
  )
}
