import type { ShapeRule, ShapeVerdict } from '@spica/schema'
import { quantisedSplitProblem } from './quantised-split.js'

/** Experts in block-scaled formats must be split along whole blocks. */
export const quantisationRule: ShapeRule = {
  name: 'quantisation',
  check(shape, { model }): ShapeVerdict {
    const found = quantisedSplitProblem(model, shape)
    if (found !== null) return { ok: false, code: 'moe-fp8-block', ...found }
    if (model.moe === null) return { ok: true }
    return { ok: true, numbers: { moeInterSizePerRank: model.moe.interSize / shape.moeTp } }
  },
}
