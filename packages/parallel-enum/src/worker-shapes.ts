import type { Backend, WorkerShape } from '@spica/schema/core'
import { SpicaError } from '@spica/schema/core'

/** GPUs one worker may span. */
export const GPUS_PER_WORKER: readonly number[] = [1, 2, 4, 8, 16]

/** Expert-parallel kernels of SGLang that cannot split one expert over GPUs, so that `moeTp` has to be 1. */
export type MoeBackend = 'deepep_moe' | 'megamoe'

export interface WorkerShapeOptions {
  readonly isMoe: boolean
  readonly backend: Backend
  /** @defaultValue null: the backend's own kernels */
  readonly moeBackend?: MoeBackend | null | undefined
  /** Whether experts may be split over GPUs (`moeTp` > 1). @defaultValue true */
  readonly allowMoePureTp?: boolean | undefined
  /** Whether a MoE model may run on one GPU. @defaultValue true */
  readonly singleGpuMoe?: boolean | undefined
}

/** How a worker splits its model; upstream's names. A dense model or a single GPU is always `tp`. */
export type ShapeStrategy = 'tp' | 'tep' | 'dep' | 'dtp'

/** `dep`: attention data-parallel, experts spread; `dtp`: attention data-parallel, experts split; `tep`: attention split, experts spread. */
export function shapeStrategy(shape: WorkerShape): ShapeStrategy {
  if (shape.attentionDp > 1) return shape.moeEp > 1 ? 'dep' : 'dtp'
  return shape.moeEp > 1 ? 'tep' : 'tp'
}

/** True when experts may be split over GPUs under these options. */
export function allowsSplitExperts(options: WorkerShapeOptions): boolean {
  if (options.allowMoePureTp === false) return false
  return options.backend !== 'sglang' || (options.moeBackend ?? null) === null
}

/** The shapes of a worker with `gpus` GPUs, before any rule on model or memory, sorted by tp, then moeTp. */
export function workerShapes(gpus: number, options: WorkerShapeOptions): WorkerShape[] {
  if (!Number.isInteger(gpus) || gpus < 1) {
    throw new SpicaError('internal', 'invalid-worker-size', `a worker of ${gpus} GPUs does not exist`)
  }
  if (!options.isMoe) return [{ tp: gpus, attentionDp: 1, moeTp: 1, moeEp: 1 }]
  if (gpus === 1) return options.singleGpuMoe === false ? [] : [{ tp: 1, attentionDp: 1, moeTp: 1, moeEp: 1 }]
  const shapes: WorkerShape[] = []
  for (const tp of [1, gpus]) {
    const attentionDp = gpus / tp
    shapes.push({ tp, attentionDp, moeTp: 1, moeEp: gpus })
    if (allowsSplitExperts(options)) shapes.push({ tp, attentionDp, moeTp: gpus, moeEp: 1 })
  }
  return shapes
}

/** All shapes of workers of at most `gpuBudget` GPUs, smallest workers first. */
export function allWorkerShapes(gpuBudget: number, options: WorkerShapeOptions): WorkerShape[] {
  return GPUS_PER_WORKER.filter((gpus) => gpus <= gpuBudget).flatMap((gpus) => workerShapes(gpus, options))
}

/** `tp=8,attention_dp=1,moe_tp=1,moe_ep=8`: for messages, and for finding equal shapes. */
export function shapeName(shape: WorkerShape): string {
  return `tp=${shape.tp},attention_dp=${shape.attentionDp},moe_tp=${shape.moeTp},moe_ep=${shape.moeEp}`
}
