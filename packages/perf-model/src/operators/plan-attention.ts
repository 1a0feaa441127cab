import type { LayerGroup, ModelSpec, RecurrentSpec, WorkerShape } from '@spica/schema'
import type { Kernel, LeafKernel, PlannedOperator } from './kernel.js'
import type { ServingFormats } from './serving-formats.js'

type Phase = 'prefill' | 'decode'

/** Name prefix of a phase's operators, as the measured databases spell it. */
export function phasePrefix(phase: Phase): string {
  return phase === 'prefill' ? 'context' : 'generation'
}

/** Operators of all token mixers: attention of each kind with its projections, and recurrent layers. */
export function planMixers(
  phase: Phase,
  model: ModelSpec,
  shape: WorkerShape,
  formats: ServingFormats,
): readonly PlannedOperator[] {
  const prefix = phasePrefix(phase)
  const operators: PlannedOperator[] = []
  const several = model.layerGroups.filter((group) => group.mixer === 'full' || group.mixer === 'sliding').length > 1
  for (const group of model.layerGroups) {
    if (group.mixer === 'none' || group.count === 0) continue
    if (group.mixer === 'recurrent') {
      operators.push(...recurrentOperators(prefix, phase, model, group, shape, formats))
    } else if (group.mixer === 'mla') {
      operators.push({
        name: model.indexer === null ? `${prefix}_mla_block` : `${prefix}_attention`,
        count: group.count,
        kernel: latentKernel(phase, model, shape, formats),
      })
    } else {
      const suffix = several ? (group.mixer === 'sliding' ? '_sliding' : '_full') : ''
      operators.push(...attentionOperators(prefix, suffix, phase, model, group, shape, formats))
    }
  }
  return operators
}

function attentionOperators(
  prefix: string,
  suffix: string,
  phase: Phase,
  model: ModelSpec,
  group: LayerGroup,
  shape: WorkerShape,
  formats: ServingFormats,
): readonly PlannedOperator[] {
  const headDim = group.headDim ?? model.headDim
  const heads = Math.max(1, Math.ceil((group.heads ?? model.heads) / shape.tp))
  const kvHeads = Math.max(1, Math.ceil((group.kvHeads ?? model.kvHeads) / shape.tp))
  const valueDim = group.vHeadDim ?? headDim
  const gate = model.attentionOutputGate === true ? heads * valueDim : 0
  const keysAndValues = group.keyEqualsValue === true ? headDim : headDim + valueDim
  const qkv = heads * headDim + gate + kvHeads * keysAndValues
  return [
    {
      name: `${prefix}_qkv_gemm${suffix}`,
      count: group.count,
      kernel: { kind: 'gemm', n: qkv, k: model.hiddenSize, format: formats.gemm, rows: 'tokens' },
    },
    {
      name: `${prefix}_attention${suffix}`,
      count: group.count,
      kernel: {
        kind: 'attention',
        phase,
        heads,
        kvHeads,
        headDim,
        window: group.mixer === 'sliding' ? (group.window ?? 0) : 0,
        kvFormat: formats.kv,
        attentionFormat: formats.attention,
        qkNorm: model.qkNorm,
      },
    },
    {
      name: `${prefix}_proj_gemm${suffix}`,
      count: group.count,
      kernel: { kind: 'gemm', n: model.hiddenSize, k: heads * valueDim, format: formats.gemm, rows: 'tokens' },
    },
  ]
}

function latentKernel(phase: Phase, model: ModelSpec, shape: WorkerShape, formats: ServingFormats): Kernel {
  const mla = model.mla ?? {
    qLoraRank: 1536,
    kvLoraRank: 512,
    qkNopeHeadDim: 128,
    qkRopeHeadDim: 64,
    vHeadDim: 128,
  }
  const block = {
    phase,
    heads: Math.max(1, Math.floor(model.heads / shape.tp)),
    tp: shape.tp,
    hiddenSize: model.hiddenSize,
    totalHeads: model.heads,
    qLoraRank: mla.qLoraRank,
    kvLoraRank: mla.kvLoraRank,
    nopeHeadDim: mla.qkNopeHeadDim,
    ropeHeadDim: mla.qkRopeHeadDim,
    vHeadDim: mla.vHeadDim,
    gemmFormat: formats.attentionGemm,
    kvFormat: formats.kv,
    attentionFormat: formats.attention,
  }
  if (model.indexer === null) return { kind: 'mla', ...block }
  return {
    kind: 'sparse-mla',
    ...block,
    architecture: model.architecture,
    indexHeads: model.indexer.heads,
    indexHeadDim: model.indexer.headDim,
    topk: model.indexer.topk,
  }
}

/** Bytes of a recurrent layer's state per sequence; by default its convolution in 2 bytes and its scan in 4. */
function stateBytes(recurrent: RecurrentSpec): number {
  const { convStateElements, ssmStateElements } = recurrent
  return convStateElements * (recurrent.convStateBytes ?? 2) + ssmStateElements * (recurrent.ssmStateBytes ?? 4)
}

function recurrentOperators(
  prefix: string,
  phase: Phase,
  model: ModelSpec,
  group: LayerGroup,
  shape: WorkerShape,
  formats: ServingFormats,
): readonly PlannedOperator[] {
  const recurrent = group.recurrent
  if (recurrent === undefined) return []
  const inProjection = recurrent.inProjElements ?? (recurrent.weightElements * 2) / 3
  const outProjection = recurrent.outProjElements ?? recurrent.weightElements / 3
  const input = Math.max(1, Math.round(inProjection / model.hiddenSize / shape.tp))
  const output = Math.max(1, Math.round(outProjection / model.hiddenSize / shape.tp))
  const name = `${prefix}_${recurrent.kind === 'mamba' ? 'mamba' : 'gdn'}`
  const scan: LeafKernel = {
    kind: 'recurrent',
    phase,
    stateBytes: (2 * stateBytes(recurrent)) / shape.tp,
    elementsPerToken: input + output,
  }
  return [
    {
      name: `${name}_in_proj_gemm`,
      count: group.count,
      kernel: { kind: 'gemm', n: input, k: model.hiddenSize, format: formats.gemm, rows: 'tokens' },
    },
    { name: `${name}_scan`, count: group.count, kernel: scan },
    {
      name: `${name}_out_proj_gemm`,
      count: group.count,
      kernel: { kind: 'gemm', n: model.hiddenSize, k: output, format: formats.gemm, rows: 'tokens' },
    },
  ]
}
