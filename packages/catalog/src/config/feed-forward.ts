import type { DenseFfnGroup, MoeSpec } from '@spica/schema'
import { type ConfigReader, ownValue } from './config-reader.js'
import { ARCHITECTURE_DEFAULTS, FIELDS } from './field-names.js'
import { hybridPattern } from './hybrid-pattern.js'
import { groupFfnSizes, repeat } from './layer-plan.js'
import { moeLayerFlags } from './moe-layers.js'

/** Feed-forward part of a model. */
export interface FeedForward {
  /** Dense intermediate size; 0 when every layer has experts and the config names no dense size. */
  readonly interSize: number
  readonly denseFfn: readonly DenseFfnGroup[]
  readonly moe: MoeSpec | null
}

export function feedForward(reader: ConfigReader, layers: number, hidden: number): FeedForward {
  const experts = reader.optionalInteger(FIELDS.experts) ?? 0
  const pattern = hybridPattern(reader)
  const inter = reader.optionalInteger(FIELDS.inter)
  const denseInter = reader.optionalInteger(FIELDS.denseInter) ?? inter
  const blocks = reader.list('block_configs')
  if (blocks !== undefined || reader.has('block_configs_summary')) return blockFeedForward(reader, hidden)
  if (experts <= 1) {
    const interSize = inter ?? fallbackInter(reader, hidden)
    const sizes =
      pattern === undefined ? repeat(interSize, layers) : [...pattern].map((c) => (c === '-' ? interSize : 0))
    return { interSize, denseFfn: groupFfnSizes(sizes), moe: null }
  }
  const flags = moeLayerFlags(reader, layers)
  const moe = moeSpec(reader, experts, flags.filter(Boolean).length)
  const denseLayers = pattern === undefined ? flags.map((flag) => !flag) : [...pattern].map((c) => c === '-')
  if (denseLayers.some(Boolean) && denseInter === undefined) throw reader.missing(FIELDS.inter)
  return {
    interSize: inter ?? denseInter ?? 0,
    denseFfn: groupFfnSizes(denseLayers.map((dense) => (dense ? denseInter! : 0))),
    moe,
  }
}

/** GPT-2 style models: four times the hidden size unless the config says otherwise. */
function fallbackInter(reader: ConfigReader, hidden: number): number {
  const type = reader.optionalString('model_type') ?? ''
  if (['gpt2', 'gpt_bigcode', 'falcon', 'bloom', 'mpt', 'gptj'].includes(type)) return 4 * hidden
  const ratio = reader.raw('expansion_ratio', 'mlp_ratio')
  if (typeof ratio === 'number' && ratio > 0 && ratio < 1e6) return Math.floor(ratio * hidden)
  throw reader.missing(FIELDS.inter)
}

function moeSpec(reader: ConfigReader, experts: number, layers: number): MoeSpec {
  const defaults = ownValue(ARCHITECTURE_DEFAULTS, reader.list('architectures')?.[0])
  const topk = reader.optionalInteger(FIELDS.topk, 1) ?? defaults?.topk ?? reader.integer(FIELDS.topk)
  const sharedExperts = reader.optionalInteger(FIELDS.sharedCount) ?? defaults?.sharedExperts ?? null
  if (topk > experts) throw reader.invalid(FIELDS.topk[0]!, `(${topk}) exceeds the ${experts} experts`)
  const interSize =
    reader.optionalInteger(FIELDS.expertInter, 1) ?? reader.integer([...FIELDS.expertInter, ...FIELDS.inter])
  const latentSize = reader.optionalInteger(FIELDS.latent) ?? defaults?.latentSize
  return {
    experts,
    topk,
    interSize,
    layers,
    sharedInterSize: sharedInterSize(reader, interSize, sharedExperts),
    sharedExperts,
    ...(latentSize === undefined || latentSize === 0 ? {} : { latentSize }),
  }
}

/** Size of all shared experts together: named outright, or a count times the expert size, or built into the family. */
function sharedInterSize(reader: ConfigReader, expertInter: number, count: number | null): number {
  const size = reader.optionalInteger(FIELDS.sharedInter)
  if (size !== undefined && size > 0) return size
  if (count !== null && size === undefined) return count * expertInter
  const type = reader.optionalString('model_type') ?? ''
  if (type.startsWith('llama4')) return expertInter
  if (type.startsWith('gemma4')) return reader.optionalInteger(FIELDS.inter) ?? 0
  return 0
}

/** DeciLM: an intermediate size per block, 2/3 · multiple · hidden rounded up to 256. */
function blockFeedForward(reader: ConfigReader, hidden: number): FeedForward {
  const multiples = (reader.list('block_configs') ?? []).map((block) => {
    const ffn = (block as { ffn?: { ffn_mult?: unknown; no_op?: unknown; intermediate_size?: unknown } } | null)?.ffn
    if (ffn === undefined || ffn.no_op === true) return 0
    if (Number.isInteger(ffn.intermediate_size)) return ffn.intermediate_size as number
    const multiple = ffn.ffn_mult
    return typeof multiple === 'number' && multiple > 0 && multiple < 1e6
      ? roundUp(Math.floor((2 * multiple * hidden) / 3), 256)
      : 0
  })
  return { interSize: Math.max(0, ...multiples), denseFfn: groupFfnSizes(multiples), moe: null }
}

function roundUp(value: number, multiple: number): number {
  return Math.ceil(value / multiple) * multiple
}
