import type { ModelSpec } from '@spica/schema'

/** What decides the family. */
export type FamilyEvidence = Pick<ModelSpec, 'architecture' | 'layerGroups' | 'mla' | 'indexer' | 'moe'> & {
  readonly modelType: string
}

/** Which set of operators and memory rules applies to a model. */
export function modelFamily(evidence: FamilyEvidence): ModelSpec['family'] {
  const { architecture, modelType, layerGroups, mla, indexer, moe } = evidence
  if (layerGroups.some((group) => group.mixer === 'compressed')) return 'deepseek-v4'
  if (layerGroups.some((group) => group.mixer === 'recurrent')) return 'hybrid'
  if (mla !== null) {
    if (indexer !== null) return 'deepseek-v32'
    return /^kimi/i.test(architecture) || /^kimi/.test(modelType) ? 'kimi' : 'deepseek'
  }
  if (modelType === 'gpt_oss' || architecture.startsWith('GptOss')) return 'gpt-oss'
  if (architecture.startsWith('DeciLM') || modelType === 'nemotron-nas') return 'nemotron-nas'
  return moe === null ? 'dense' : 'moe'
}
