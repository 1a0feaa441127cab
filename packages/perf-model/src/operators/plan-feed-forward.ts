import type { Backend, HardwareSpec, ModelSpec, MoeSpec, WorkerShape } from '@spica/schema'
import type { ExpertsKernel, LeafKernel, PlannedOperator } from './kernel.js'
import { phasePrefix } from './plan-attention.js'
import { planCombine, planDispatch } from './plan-communication.js'
import type { ServingFormats } from './serving-formats.js'

type Phase = 'prefill' | 'decode'

/** Share of MoE layers above which a model's few dense layers are timed as MoE layers, as the measured references do. */
const MOSTLY_MOE = 0.9

/** Operators of all feed-forward layers, dense and MoE, with their expert-parallel traffic. */
export function planFeedForward(
  phase: Phase,
  model: ModelSpec,
  hardware: HardwareSpec,
  backend: Backend,
  shape: WorkerShape,
  formats: ServingFormats,
): readonly PlannedOperator[] {
  const moe = model.moe
  if (moe === null) return denseOperators(phase, model, shape, formats, feedForwardLayers(model))
  const total = feedForwardLayers(model)
  const moeLayers = moe.layers >= MOSTLY_MOE * total ? total : moe.layers
  return [
    ...denseOperators(phase, model, shape, formats, total - moeLayers),
    ...moeOperators(phase, model, moe, hardware, backend, shape, formats, moeLayers),
  ]
}

/** Layers with a feed-forward part. In models whose layers are either mixer or feed-forward, those without a mixer. */
function feedForwardLayers(model: ModelSpec): number {
  const without = model.layerGroups.filter((group) => group.mixer === 'none').reduce((sum, g) => sum + g.count, 0)
  return without > 0 ? without : model.layers
}

function denseOperators(
  phase: Phase,
  model: ModelSpec,
  shape: WorkerShape,
  formats: ServingFormats,
  layers: number,
): readonly PlannedOperator[] {
  if (layers <= 0) return []
  const prefix = phasePrefix(phase)
  const sizes = model.denseFfn ?? []
  const named = sizes.reduce((sum, size) => sum + size.count, 0)
  const groups = named === layers ? sizes : [{ interSize: model.interSize, count: layers }]
  const gated = model.gatedFfn !== false
  return groups.flatMap(({ interSize, count }, index): readonly PlannedOperator[] => {
    const inner = interSize / shape.tp
    const suffix = index === 0 ? '' : `_${index + 1}`
    const width = gated ? 2 * inner : inner
    return [
      {
        name: `${prefix}_gate_ffn1_gemm${suffix}`,
        count,
        kernel: { kind: 'gemm', n: width, k: model.hiddenSize, format: formats.gemm, rows: 'tokens' },
      },
      {
        name: `${prefix}_act_gate${suffix}`,
        count,
        kernel: { kind: 'elementwise', bytesPerToken: 2 * width + 2 * inner },
      },
      {
        name: `${prefix}_ffn2_gemm${suffix}`,
        count,
        kernel: { kind: 'gemm', n: model.hiddenSize, k: inner, format: formats.gemm, rows: 'tokens' },
      },
    ]
  })
}

/** Router skew seen in production for a family: DeepSeek-like models balance better than others. */
function routerSkew(model: ModelSpec): ExpertsKernel['skew'] {
  const balancedFamilies = ['deepseek', 'deepseek-v32', 'deepseek-v4', 'kimi', 'hybrid']
  return balancedFamilies.includes(model.family) ? 'power_law_1.01' : 'power_law_1.2'
}

function moeOperators(
  phase: Phase,
  model: ModelSpec,
  moe: MoeSpec,
  hardware: HardwareSpec,
  backend: Backend,
  shape: WorkerShape,
  formats: ServingFormats,
  layers: number,
): readonly PlannedOperator[] {
  const prefix = phasePrefix(phase)
  const hidden = model.hiddenSize
  const router: LeafKernel = { kind: 'gemm', n: moe.experts, k: hidden, format: 'bfloat16', rows: 'tokens' }
  const dispatch = planDispatch(hidden, hardware, backend, shape, formats)
  const combine = planCombine(hidden, hardware, backend, shape)
  const experts: ExpertsKernel = {
    kind: 'experts',
    format: formats.experts,
    skew: routerSkew(model),
    topk: moe.topk,
    experts: moe.experts,
    hiddenSize: hidden,
    interSize: moe.interSize,
    moeTp: shape.moeTp,
    moeEp: shape.moeEp,
    tokenFactor: shape.attentionDp,
    gated: model.gatedFfn !== false,
  }
  const shared = sharedKernels(model, moe, shape, formats)
  const overlapped = phase === 'decode' && shared.length > 0
  if (overlapped) {
    return [
      {
        name: `${prefix}_moe_overlap`,
        count: layers,
        kernel: { kind: 'overlap', first: [router, ...dispatch, experts, ...combine], second: shared },
      },
    ]
  }
  const names = ['shared_gate_up_gemm', 'shared_act_gate', 'shared_ffn2_gemm']
  return [
    ...shared.map((kernel, index) => ({ name: `${prefix}_${names[index]}`, count: layers, kernel })),
    { name: `${prefix}_router_gemm`, count: layers, kernel: router },
    { name: `${prefix}_moe_pre_dispatch`, count: layers, kernel: { kind: 'sequence', parts: dispatch } },
    { name: `${prefix}_moe`, count: layers, kernel: experts },
    { name: `${prefix}_moe_post_dispatch`, count: layers, kernel: { kind: 'sequence', parts: combine } },
  ]
}

/** Shared experts: split by tp in DeepSeek-like blocks, by moe_tp in sparse-attention ones. */
function sharedKernels(
  model: ModelSpec,
  moe: MoeSpec,
  shape: WorkerShape,
  formats: ServingFormats,
): readonly LeafKernel[] {
  if (moe.sharedInterSize === 0) return []
  const inner = moe.sharedInterSize / (model.indexer === null ? shape.tp : shape.moeTp)
  const format = model.quantization.sharedExpert ?? formats.gemm
  const width = model.gatedFfn === false ? inner : 2 * inner
  return [
    { kind: 'gemm', n: width, k: model.hiddenSize, format, rows: 'tokens' },
    { kind: 'elementwise', bytesPerToken: 2 * width + 2 * inner },
    { kind: 'gemm', n: model.hiddenSize, k: inner, format, rows: 'tokens' },
  ]
}
