import type { RecurrentSpec } from '@spica/schema'
import type { ConfigReader } from './config-reader.js'

/** Bytes of one element of a dtype name, or undefined. */
export function dtypeBytes(name: string | undefined): number | undefined {
  if (name === undefined) return undefined
  if (/float32|fp32/.test(name)) return 4
  if (/float16|bfloat16|fp16|half/.test(name)) return 2
  if (/float8|fp8|int8/.test(name)) return 1
  return undefined
}

function stateBytes(reader: ConfigReader, names: readonly string[]): number {
  return dtypeBytes(reader.optionalString(...names)) ?? modelBytes(reader)
}

function modelBytes(reader: ConfigReader): number {
  return dtypeBytes(reader.optionalString('torch_dtype', 'dtype')) ?? 2
}

/**
 * Mamba-2 layer (Nemotron-H, Bamba, Granite-4, Falcon-H1): conv state (inner + 2·groups·state)·(kernel − 1), recurrent state
 * heads·headDim·state. The input projection yields z, x, B, C and dt.
 */
export function mamba2Spec(reader: ConfigReader, hidden: number): RecurrentSpec {
  const heads = reader.integer(['mamba_num_heads', 'mamba_n_heads', 'num_heads'])
  const headDim = mambaHeadDim(reader, hidden, heads)
  const state = reader.integer(['ssm_state_size', 'mamba_d_state', 'state_size'])
  const groups = reader.optionalInteger(['n_groups', 'mamba_n_groups', 'mamba_ngroups'], 1) ?? 1
  const kernel = reader.optionalInteger(['conv_kernel', 'mamba_d_conv', 'conv_kernel_size'], 1) ?? 4
  const inner = heads * headDim
  const convDim = inner + 2 * groups * state
  return recurrent('mamba', {
    conv: convDim * (kernel - 1),
    ssm: inner * state,
    inProj: hidden * (inner + convDim + heads),
    outProj: inner * hidden,
    ssmBytes: stateBytes(reader, ['mamba_ssm_cache_dtype', 'mamba_ssm_dtype']),
    convBytes: modelBytes(reader),
  })
}

/** Named, or inner width / heads; Bamba may write `auto` for the latter. */
function mambaHeadDim(reader: ConfigReader, hidden: number, heads: number): number {
  const names = [
    'mamba_head_dim',
    'mamba_d_head',
    ...(reader.optionalString('model_type') === 'mamba2' ? ['head_dim'] : []),
  ]
  const isAuto = names.some((name) => reader.raw(name) === 'auto')
  const named = isAuto ? undefined : reader.optionalInteger(names, 1)
  return named ?? Math.floor((hidden * (reader.optionalInteger(['mamba_expand', 'expand'], 1) ?? 2)) / heads)
}

/** Mamba-1 layer (Jamba): inner = expand·hidden, conv state inner·(kernel − 1), recurrent state inner·state. */
export function mamba1Spec(reader: ConfigReader, hidden: number): RecurrentSpec {
  const inner = hidden * (reader.optionalInteger(['mamba_expand', 'expand'], 1) ?? 2)
  const state = reader.optionalInteger(['mamba_d_state', 'state_size'], 1) ?? 16
  const kernel = reader.optionalInteger(['mamba_d_conv', 'conv_kernel'], 1) ?? 4
  const rank = reader.optionalInteger(['mamba_dt_rank', 'time_step_rank'], 1) ?? Math.ceil(hidden / 16)
  return recurrent('mamba', {
    conv: inner * (kernel - 1),
    ssm: inner * state,
    inProj: 2 * inner * hidden + inner * (rank + 2 * state) + rank * inner,
    outProj: inner * hidden,
    ssmBytes: stateBytes(reader, ['mamba_ssm_cache_dtype']),
    convBytes: modelBytes(reader),
  })
}

/** Gated delta-net layer (Qwen3-Next, Qwen3.5): keys and values of separate head counts, state valueHeads·keyDim·valueDim. */
export function gatedDeltaSpec(reader: ConfigReader, hidden: number): RecurrentSpec {
  const keyHeads = reader.integer(['linear_num_key_heads'])
  const keyDim = reader.integer(['linear_key_head_dim'])
  const valueHeads = reader.integer(['linear_num_value_heads'])
  const valueDim = reader.integer(['linear_value_head_dim'])
  const kernel = reader.optionalInteger(['linear_conv_kernel_dim'], 1) ?? 4
  const keys = keyHeads * keyDim
  const values = valueHeads * valueDim
  return recurrent('linear', {
    conv: (2 * keys + values) * (kernel - 1),
    ssm: valueHeads * keyDim * valueDim,
    inProj: hidden * (2 * keys + 2 * values + 2 * valueHeads),
    outProj: values * hidden,
    ssmBytes: dtypeBytes(reader.optionalString('mamba_ssm_dtype', 'mamba_ssm_cache_dtype')) ?? 4,
    convBytes: modelBytes(reader),
  })
}

/** Kimi delta attention: `linear_attn_config` with equal key and value heads, low-rank decay and output gates. */
export function kimiDeltaSpec(reader: ConfigReader, linear: ConfigReader, hidden: number): RecurrentSpec {
  const heads = linear.integer(['num_heads'])
  const headDim = linear.integer(['head_dim'])
  const kernel = linear.optionalInteger(['short_conv_kernel_size'], 1) ?? 4
  const width = heads * headDim
  const gateRank = linear.optionalBoolean('use_full_rank_gate') === true ? hidden * width : headDim * (hidden + width)
  return recurrent('linear', {
    conv: 3 * width * (kernel - 1),
    ssm: heads * headDim * headDim,
    inProj: hidden * (3 * width + heads) + gateRank + headDim * (hidden + width),
    outProj: width * hidden,
    ssmBytes: 4,
    convBytes: modelBytes(reader),
  })
}

/** Lightning attention (MiniMax-Text-01): one headDim × headDim matrix per head, no convolution. */
export function lightningSpec(heads: number, headDim: number, hidden: number): RecurrentSpec {
  return recurrent('linear', {
    conv: 0,
    ssm: heads * headDim * headDim,
    inProj: 4 * hidden * heads * headDim,
    outProj: heads * headDim * hidden,
    ssmBytes: 4,
    convBytes: 2,
  })
}

/** Gated short convolution (LFM2): a cache of the last inputs, no recurrent state. */
export function shortConvSpec(reader: ConfigReader, hidden: number): RecurrentSpec {
  const kernel = reader.optionalInteger(['conv_L_cache'], 1) ?? 3
  return recurrent('linear', {
    conv: hidden * kernel,
    ssm: 0,
    inProj: 3 * hidden * hidden,
    outProj: hidden * hidden,
    ssmBytes: 4,
    convBytes: modelBytes(reader),
  })
}

interface RecurrentSizes {
  readonly conv: number
  readonly ssm: number
  readonly inProj: number
  readonly outProj: number
  readonly ssmBytes: number
  readonly convBytes: number
}

function recurrent(kind: RecurrentSpec['kind'], sizes: RecurrentSizes): RecurrentSpec {
  return {
    kind,
    convStateElements: sizes.conv,
    ssmStateElements: sizes.ssm,
    weightElements: sizes.inProj + sizes.outProj,
    inProjElements: sizes.inProj,
    outProjElements: sizes.outProj,
    ssmStateBytes: sizes.ssmBytes,
    convStateBytes: sizes.convBytes,
  }
}
