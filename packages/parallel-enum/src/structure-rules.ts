import type { ShapeVerdict, WorkerShape } from '@spica/schema/core'
import { allowsSplitExperts, GPUS_PER_WORKER, type WorkerShapeOptions } from './worker-shapes.js'

/** What decides whether a shape exists at all, whatever the model's sizes. */
export interface StructureContext extends WorkerShapeOptions {
  /** GPUs of the whole deployment. */
  readonly gpuBudget: number
}

/** A rule on the four numbers of a shape alone. */
export interface StructureRule {
  readonly name: string
  check(shape: WorkerShape, context: StructureContext): ShapeVerdict
}

function rejected(code: string, message: string, numbers: Readonly<Record<string, number>>): ShapeVerdict {
  return { ok: false, code, message, numbers }
}

const wholeNumbers: StructureRule = {
  name: 'whole-numbers',
  check(shape) {
    for (const [field, value] of fieldsOf(shape)) {
      if (!Number.isInteger(value) || value < 1) {
        return rejected('not-a-positive-integer', `${field} is ${value}; it has to be an integer of at least 1`, {
          [field]: value,
        })
      }
    }
    return { ok: true }
  },
}

const workerSize: StructureRule = {
  name: 'worker-size',
  check(shape, { gpuBudget }) {
    const gpus = shape.tp * shape.attentionDp
    const numbers = { gpusPerWorker: gpus, gpuBudget }
    if (!GPUS_PER_WORKER.includes(gpus)) {
      const menu = GPUS_PER_WORKER.join(', ')
      return rejected('worker-size-not-supported', `tp × attention_dp is ${gpus}; a worker has ${menu} GPUs`, numbers)
    }
    if (gpus > gpuBudget) {
      return rejected('worker-exceeds-budget', `one worker needs ${gpus} GPUs, the budget is ${gpuBudget}`, numbers)
    }
    return { ok: true, numbers }
  },
}

const expertGrid: StructureRule = {
  name: 'expert-grid',
  check(shape, { isMoe }) {
    const experts = shape.moeTp * shape.moeEp
    const gpus = shape.tp * shape.attentionDp
    if (!isMoe) {
      if (shape.attentionDp !== 1) {
        const numbers = { attention_dp: shape.attentionDp }
        return rejected('dense-model-with-attention-dp', 'a dense model has no attention data parallelism', numbers)
      }
      if (experts === 1) return { ok: true }
      const numbers = { moe_tp: shape.moeTp, moe_ep: shape.moeEp }
      return rejected(
        'dense-model-with-experts',
        'a dense model has no experts: moe_tp and moe_ep have to be 1',
        numbers,
      )
    }
    if (experts === gpus) return { ok: true }
    const equation = `tp × attention_dp = ${shape.tp} × ${shape.attentionDp} = ${gpus}, but moe_tp × moe_ep = ${shape.moeTp} × ${shape.moeEp} = ${experts}`
    const message = `${equation}; for a MoE model they have to be equal, e.g. moe_ep=${gpus} or moe_tp=${gpus}`
    return rejected('expert-grid-mismatch', message, { expertGpus: experts, attentionGpus: gpus })
  },
}

const onePartitioning: StructureRule = {
  name: 'one-partitioning',
  check(shape, { isMoe }) {
    if (!isMoe) return { ok: true }
    if (shape.tp > 1 && shape.attentionDp > 1) {
      const numbers = { tp: shape.tp, attention_dp: shape.attentionDp }
      return rejected('mixed-attention-split', 'attention is either split (tp) or replicated (attention_dp)', numbers)
    }
    if (shape.moeTp > 1 && shape.moeEp > 1) {
      const numbers = { moe_tp: shape.moeTp, moe_ep: shape.moeEp }
      return rejected('mixed-expert-split', 'experts are either split (moe_tp) or spread (moe_ep)', numbers)
    }
    return { ok: true }
  },
}

const splitExperts: StructureRule = {
  name: 'split-experts',
  check(shape, context) {
    if (shape.moeTp === 1 || allowsSplitExperts(context)) return { ok: true }
    const reason = context.allowMoePureTp === false ? 'are switched off' : `do not work with ${context.moeBackend}`
    return rejected('split-experts-not-supported', `experts split over GPUs (moe_tp > 1) ${reason}`, {
      moe_tp: shape.moeTp,
    })
  },
}

const singleGpu: StructureRule = {
  name: 'single-gpu-moe',
  check(shape, { isMoe, singleGpuMoe }) {
    if (!isMoe || singleGpuMoe !== false || shape.tp * shape.attentionDp > 1) return { ok: true }
    return rejected('single-gpu-moe-not-supported', 'MoE workers on one GPU are left out under compat aic-0.11', {
      gpusPerWorker: 1,
    })
  },
}

/** In the order in which they are reported. `workerShapes` builds exactly the shapes that pass them all. */
export const STRUCTURE_RULES: readonly StructureRule[] = [
  wholeNumbers,
  workerSize,
  expertGrid,
  onePartitioning,
  splitExperts,
  singleGpu,
]

function fieldsOf(shape: WorkerShape): [string, number][] {
  return [
    ['tp', shape.tp],
    ['attention_dp', shape.attentionDp],
    ['moe_tp', shape.moeTp],
    ['moe_ep', shape.moeEp],
  ]
}
