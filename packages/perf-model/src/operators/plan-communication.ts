import type { Backend, HardwareSpec, WorkerShape } from '@spica/schema'
import type { LeafKernel } from './kernel.js'
import type { ServingFormats } from './serving-formats.js'

/** Traffic that brings tokens to the experts: the attention all-reduce under tp, an all-gather under attention-DP. */
export function planDispatch(
  hiddenSize: number,
  hardware: HardwareSpec,
  backend: Backend,
  shape: WorkerShape,
  formats: ServingFormats,
): readonly LeafKernel[] {
  const { tp, attentionDp } = shape
  const gpus = tp * attentionDp
  if (tp > 1 && attentionDp > 1 && backend === 'sglang') {
    return [
      { kind: 'collective', collective: 'reduce_scatter', elementsPerToken: hiddenSize, gpus: tp },
      { kind: 'collective', collective: 'all_gather', elementsPerToken: hiddenSize * attentionDp, gpus },
    ]
  }
  const parts: LeafKernel[] = []
  if (tp > 1) parts.push({ kind: 'all-reduce', elementsPerToken: hiddenSize, gpus })
  if (attentionDp > 1 && (tp === 1 || backend === 'vllm')) {
    const elements = hiddenSize * attentionDp * dispatchCompression(hardware, backend, formats)
    parts.push({ kind: 'collective', collective: 'all_gather', elementsPerToken: elements, gpus })
  }
  return parts
}

/** Traffic that returns the experts' results. */
export function planCombine(
  hiddenSize: number,
  _hardware: HardwareSpec,
  backend: Backend,
  shape: WorkerShape,
): readonly LeafKernel[] {
  const { tp, attentionDp } = shape
  const gpus = tp * attentionDp
  if (tp > 1 && attentionDp > 1 && backend === 'sglang') {
    return [
      { kind: 'collective', collective: 'reduce_scatter', elementsPerToken: hiddenSize * attentionDp, gpus },
      { kind: 'collective', collective: 'all_gather', elementsPerToken: hiddenSize, gpus: tp },
    ]
  }
  const parts: LeafKernel[] = []
  if (tp > 1) parts.push({ kind: 'all-reduce', elementsPerToken: hiddenSize, gpus })
  if (attentionDp > 1 && (tp === 1 || backend === 'vllm')) {
    parts.push({ kind: 'collective', collective: 'reduce_scatter', elementsPerToken: hiddenSize * attentionDp, gpus })
  }
  return parts
}

/** TensorRT-LLM on Blackwell sends quantised tokens to quantised experts. */
function dispatchCompression(hardware: HardwareSpec, backend: Backend, formats: ServingFormats): number {
  if (backend !== 'trtllm' || hardware.gpu.smVersion !== 100) return 1
  if (formats.experts === 'nvfp4') return 0.28125
  return formats.experts === 'fp8' || formats.experts === 'fp8_block' ? 0.5 : 1
}
