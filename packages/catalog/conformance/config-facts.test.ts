import type { LayerGroup, ModelSpec } from '@spica/schema'
import { describe, expect, it } from 'vitest'
import { hasGolden, readGoldenJson } from '../../../conformance/golden.js'
import { findHardware, findModel, listHardware, listModels, parseModelConfig } from '../src/index.js'

interface KvGroupFacts {
  readonly kind: string
  readonly layers: number
  readonly window?: number | null
  readonly kv_heads?: number
  readonly head_dim?: number
  readonly v_head_dim?: number
  readonly elems_per_token_per_layer?: number
  readonly ratios_count?: Readonly<Record<string, number>>
}

interface Derived {
  readonly layers: number
  readonly attn_heads: number
  readonly kv_heads: number | null
  readonly head_dim_effective: number
  readonly kv_groups: readonly KvGroupFacts[]
  readonly kv_bytes_per_token_growing_bf16_tp1?: number
  readonly kv_bytes_per_token_windowed_bf16_tp1?: number
  readonly mamba_state_bytes_per_sequence_tp1?: number
  readonly linear_state_bytes_per_sequence_tp1?: number
  readonly mamba_layers?: number
  readonly linear_layers?: number
  readonly mlp_layers?: number
  readonly moe_layers?: number
  readonly moe?: {
    readonly experts: number
    readonly top_k: number
    readonly expert_intermediate: number
    readonly shared_experts: number | null
    readonly legal_ep_divisors_le_64: readonly number[]
    readonly fp8_block?: readonly [number, number]
    readonly legal_moe_tp_pow2?: readonly number[]
  }
  readonly tp_table: readonly { tp: number; heads_ok: boolean; kv_ok: boolean; kv_heads_per_rank: number | null }[]
  readonly legal_attn_tp_pow2: readonly number[]
}

interface ConfigFacts {
  readonly models: Readonly<
    Record<string, { facts: Record<string, unknown>; hf_quant_config?: Record<string, unknown>; derived: Derived }>
  >
  readonly quantization_config_variants: readonly { kind: string; example: Record<string, unknown> }[]
}

const POWERS = [1, 2, 4, 8, 16, 32]

/** Re-derives every figure of `derived` from a spec, by the formulae of the data set. */
function derive(model: ModelSpec): Partial<Derived> {
  const attending = model.layerGroups.filter((group) => group.mixer === 'full' || group.mixer === 'sliding')
  const bytes = (group: LayerGroup) =>
    group.count * group.kvHeads! * (group.headDim! + (group.vHeadDim ?? group.headDim!)) * 2
  const sum = (groups: readonly LayerGroup[]) => groups.reduce((total, group) => total + bytes(group), 0)
  const mla = model.layerGroups
    .filter((group) => group.mixer === 'mla')
    .reduce((total, group) => total + group.count, 0)
  const latent = model.mla === null ? 0 : mla * (model.mla.kvLoraRank + model.mla.qkRopeHeadDim) * 2
  const recurrent = model.layerGroups.filter((group) => group.recurrent !== undefined)
  const state = recurrent.reduce((total, { count, recurrent: spec }) => {
    const conv = spec!.convStateElements * spec!.convStateBytes!
    return total + count * (conv + spec!.ssmStateElements * spec!.ssmStateBytes!)
  }, 0)
  return {
    layers: model.layers,
    attn_heads: model.heads,
    kv_bytes_per_token_growing_bf16_tp1: sum(attending.filter((group) => group.mixer === 'full')) + latent,
    kv_bytes_per_token_windowed_bf16_tp1: sum(attending.filter((group) => group.mixer === 'sliding')),
    mamba_state_bytes_per_sequence_tp1: state,
    mamba_layers: recurrent.reduce((total, group) => total + group.count, 0),
  }
}

describe.skipIf(!hasGolden)('config-facts', () => {
  const facts = hasGolden
    ? readGoldenJson<ConfigFacts>('models/config-facts.json')
    : { models: {}, quantization_config_variants: [] }
  const entries = Object.entries(facts.models)

  it.each(entries)('derives %s', (_name, { facts: config, hf_quant_config: side, derived }) => {
    const model = parseModelConfig(config, side === undefined ? undefined : { quantization: side })
    const ours = derive(model)
    expect(ours.layers).toBe(derived.layers)
    expect(model.heads).toBe(derived.attn_heads)
    if (derived.kv_heads !== null) expect(model.kvHeads).toBe(derived.kv_heads)
    expect(model.headDim).toBe(derived.head_dim_effective)
    if (derived.kv_bytes_per_token_growing_bf16_tp1 !== undefined) {
      expect(ours.kv_bytes_per_token_growing_bf16_tp1).toBe(derived.kv_bytes_per_token_growing_bf16_tp1)
      expect(ours.kv_bytes_per_token_windowed_bf16_tp1).toBe(derived.kv_bytes_per_token_windowed_bf16_tp1)
    }
    const state = derived.mamba_state_bytes_per_sequence_tp1 ?? derived.linear_state_bytes_per_sequence_tp1
    if (state !== undefined) expect(ours.mamba_state_bytes_per_sequence_tp1).toBe(state)
    const recurrentLayers = derived.mamba_layers ?? derived.linear_layers
    if (recurrentLayers !== undefined) expect(ours.mamba_layers).toBe(recurrentLayers)
    if (derived.mlp_layers !== undefined) {
      expect((model.denseFfn ?? []).reduce((total, group) => total + group.count, 0)).toBe(derived.mlp_layers)
    }
    checkGroups(model, derived.kv_groups)
    checkMoe(model, derived.moe)
    for (const row of derived.tp_table) {
      const kv = model.kvHeads
      expect(model.heads % row.tp === 0).toBe(row.heads_ok)
      if (row.kv_heads_per_rank !== null) {
        expect(kv % row.tp === 0 || row.tp % kv === 0).toBe(row.kv_ok)
        expect(Math.max(1, Math.floor(kv / row.tp))).toBe(row.kv_heads_per_rank)
      }
    }
    expect(POWERS.filter((tp) => model.heads % tp === 0)).toEqual(derived.legal_attn_tp_pow2)
  })

  it('knows every model under the key of the data set, alike', () => {
    for (const [key, { facts: config, hf_quant_config: side }] of entries) {
      const parsed = parseModelConfig(config, side === undefined ? undefined : { quantization: side })
      const known = findModel(key)
      expect({ ...parsed, name: known.name, mtpLayers: known.mtpLayers }, key).toMatchObject({
        layers: known.layers,
        layerGroups: known.layerGroups,
        moe: known.moe,
      })
      expect(parsed.quantization.gemm, key).toBe(known.quantization.gemm)
    }
  })

  it.each(facts.quantization_config_variants.map(({ kind, example }) => [kind, example] as const))(
    'reads %s',
    (kind, example) => {
      const { _sibling: sibling, quantized_layers: layers, ...quantization } = example as Record<string, never>
      const base = facts.models['deepseek-ai--DeepSeek-V3']!.facts
      const isSide = 'quantization' in example
      const side = isSide ? spellOutLayers(example) : undefined
      const config = {
        ...base,
        ...(sibling ?? {}),
        quantization_config: isSide ? undefined : { ...quantization, layers },
      }
      const { quantization: found } = parseModelConfig(config, side)
      const wanted = QUANTIZATION_OF[kind]
      expect(wanted, kind).toBeDefined()
      expect([found.gemm, found.moe, found.attention, found.kv]).toEqual(wanted)
    },
  )
})

/** The data set shortens the layer map to a sentence; a map of the same kind stands in. */
function spellOutLayers(example: Record<string, unknown>): Record<string, unknown> {
  const quantization = { ...(example['quantization'] as Record<string, unknown>) }
  if (typeof quantization['quantized_layers'] === 'string') {
    quantization['quantized_layers'] = {
      'model.layers.3.mlp.experts.0.down_proj': { quant_algo: 'NVFP4', group_size: 16 },
      'model.layers.3.self_attn.o_proj': { quant_algo: 'FP8' },
    }
  }
  return { quantization }
}

/** gemm, experts, attention, cache. */
const QUANTIZATION_OF: Readonly<Record<string, readonly string[]>> = {
  'fp8 block (DeepSeek style)': ['fp8_block', 'fp8_block', 'fp8_block', 'fp8'],
  'fp8 block + ue8m0 scales': ['fp8_block', 'fp8_block', 'fp8_block', 'fp8'],
  'fp8 other spelling': ['fp8_block', 'fp8_block', 'fp8_block', 'fp8'],
  'modelopt NVFP4 inside config.json': ['nvfp4', 'nvfp4', 'nvfp4', 'fp8'],
  'modelopt only in sidecar hf_quant_config.json': ['nvfp4', 'nvfp4', 'nvfp4', 'fp8'],
  'modelopt FP8, kv_cache_scheme as string, no quant_method': ['fp8', 'fp8', 'fp8', 'fp8'],
  'compressed-tensors int4 pack (Kimi-K2.5)': ['int4_wo', 'int4_wo', 'bfloat16', 'bfloat16'],
  'compressed-tensors mxfp4 pack (Kimi-K3)': ['mxfp4', 'mxfp4', 'mxfp4', 'bfloat16'],
  'mxfp4 (gpt-oss)': ['bfloat16', 'mxfp4', 'bfloat16', 'bfloat16'],
  'fp8 wrapper with fp4 experts (DeepSeek-V4)': ['fp8_block', 'mxfp4', 'fp8_block', 'fp8'],
  awq: ['int4_wo', 'int4_wo', 'int4_wo', 'bfloat16'],
  gptq: ['int4_wo', 'int4_wo', 'int4_wo', 'bfloat16'],
  bitsandbytes: ['int4_wo', 'int4_wo', 'int4_wo', 'bfloat16'],
  'modelopt MIXED_PRECISION sidecar (per-layer map)': ['bfloat16', 'nvfp4', 'fp8', 'fp8'],
}

function checkGroups(model: ModelSpec, groups: readonly KvGroupFacts[]): void {
  for (const group of groups) {
    if (group.kind.startsWith('full')) expect(countOf(model, 'full', group)).toBe(group.layers)
    if (group.kind === 'sliding' || group.kind === 'chunked')
      expect(countOf(model, 'sliding', group)).toBe(group.layers)
    if (group.kind === 'mla_latent') {
      expect(countOf(model, 'mla', {})).toBe(group.layers)
      expect(model.mla!.kvLoraRank + model.mla!.qkRopeHeadDim).toBe(group.elems_per_token_per_layer)
    }
    if (group.kind === 'dsa_indexer_key' || group.kind === 'sparse_index_key') {
      expect(model.indexer!.layers ?? model.layers).toBe(group.layers)
      expect(model.indexer!.headDim).toBe(group.elems_per_token_per_layer)
    }
    for (const [ratio, count] of Object.entries(group.ratios_count ?? {})) {
      const found = model.layerGroups.filter((entry) => entry.compressRatio === Number(ratio))
      expect(found.reduce((total, entry) => total + entry.count, 0)).toBe(count)
    }
  }
}

function countOf(model: ModelSpec, mixer: LayerGroup['mixer'], facts: Partial<KvGroupFacts>): number {
  return model.layerGroups
    .filter((group) => group.mixer === mixer)
    .filter((group) => facts.kv_heads === undefined || group.kvHeads === facts.kv_heads)
    .filter((group) => facts.head_dim === undefined || group.headDim === facts.head_dim)
    .filter((group) => facts.v_head_dim === undefined || group.vHeadDim === facts.v_head_dim)
    .filter((group) => typeof facts.window !== 'number' || group.window === facts.window)
    .reduce((total, group) => total + group.count, 0)
}

function checkMoe(model: ModelSpec, facts: Derived['moe']): void {
  if (facts === undefined) {
    expect(model.moe).toBeNull()
    return
  }
  const moe = model.moe!
  expect([moe.experts, moe.topk, moe.interSize]).toEqual([facts.experts, facts.top_k, facts.expert_intermediate])
  expect(moe.sharedExperts ?? null).toBe(facts.shared_experts)
  expect([1, 2, 4, 8, 16, 32, 64].filter((ep) => moe.experts % ep === 0)).toEqual(facts.legal_ep_divisors_le_64)
  if (facts.fp8_block !== undefined) expect(model.quantization.weightBlock).toEqual(facts.fp8_block)
  if (facts.legal_moe_tp_pow2 !== undefined) {
    const block = model.quantization.weightBlock![0]
    expect([1, 2, 4, 8, 16].filter((tp) => moe.interSize % (tp * block) === 0)).toEqual(facts.legal_moe_tp_pow2)
  }
}

interface ModelFacts {
  readonly layers: number
  readonly n: number
  readonly n_kv: number
  readonly d: number
  readonly hidden_size: number
  readonly vocab: number
  readonly context: number
  readonly topk: number
  readonly num_experts: number
  readonly moe_inter_size: number | null
  readonly is_moe: boolean
  readonly built: { readonly quant: Readonly<Record<string, string>> }
}

interface HardwareFacts {
  readonly gpu: Readonly<Record<string, number>>
  readonly node: Readonly<Record<string, number>>
  readonly misc: { readonly nccl_mem: Readonly<Record<string, number>>; readonly other_mem: number }
  readonly latest_perf_db: Readonly<Record<string, string | null>>
}

describe.skipIf(!hasGolden)('facts', () => {
  const facts = hasGolden
    ? readGoldenJson<{ models: Record<string, ModelFacts>; hardware: Record<string, HardwareFacts> }>(
        'models/facts.json',
      )
    : { models: {}, hardware: {} }

  it.each(Object.entries(facts.models))('knows %s', (name, fact) => {
    const model = findModel(name)
    expect(model.name).toBe(name)
    expect([model.layers, model.heads, model.hiddenSize, model.vocabSize, model.contextLength]).toEqual([
      fact.layers,
      fact.n,
      fact.hidden_size,
      fact.vocab,
      fact.context,
    ])
    if (fact.n_kv > 0) expect(model.kvHeads).toBe(fact.n_kv)
    if (model.mla === null) expect(model.headDim).toBe(fact.d)
    expect(model.moe !== null).toBe(fact.is_moe)
    if (model.moe !== null) {
      expect([model.moe.experts, model.moe.topk, model.moe.interSize]).toEqual([
        fact.num_experts,
        fact.topk,
        fact.moe_inter_size,
      ])
    }
    const mode = fact.built.quant['gemm_quant_mode'] === 'fp8_static' ? 'fp8' : fact.built.quant['gemm_quant_mode']
    expect(model.quantization.gemm).toBe(mode)
    expect(model.quantization.kv).toBe(fact.built.quant['kvcache_quant_mode'])
  })

  it.each(Object.entries(facts.hardware))('knows %s', (sku, fact) => {
    const { gpu, node, memory, latestPerfDatabase } = findHardware(sku)
    expect(gpu.memoryCapacityBytes).toBe(fact.gpu['mem_capacity'])
    expect(gpu.memoryBandwidthBytesPerSecond).toBe(fact.gpu['mem_bw'])
    expect(gpu.bf16Flops).toBe(fact.gpu['bfloat16_tc_flops'])
    expect(gpu.fp8Flops).toBe(fact.gpu['fp8_tc_flops'] ?? null)
    expect(node.gpusPerNode).toBe(fact.node['num_gpus_per_node'])
    expect(node.intraNodeBandwidthBytesPerSecond).toBe(fact.node['intra_node_bw'])
    expect(memory.ncclBytesByTp).toEqual(fact.misc.nccl_mem)
    expect(memory.runtimeOverheadBytes).toBe(fact.misc.other_mem)
    expect(latestPerfDatabase).toEqual(fact.latest_perf_db)
  })

  it('lists nothing twice', () => {
    const names = listModels().map((model) => model.name)
    expect(new Set(names).size).toBe(names.length)
    expect(listHardware()).toHaveLength(Object.keys(facts.hardware).length)
  })
})
