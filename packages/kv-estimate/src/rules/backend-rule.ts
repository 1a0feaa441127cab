import type { Backend, ShapeRule, ShapeVerdict, WorkerShape } from '@spica/schema'

/** Splits that an engine cannot run, whatever the model. */
const IMPOSSIBLE: Readonly<
  Record<Backend, readonly { code: string; message: string; applies(shape: WorkerShape): boolean }[]>
> = {
  vllm: [
    {
      code: 'vllm-mixed-expert-split',
      message: 'vLLM either splits experts (moe_tp) or spreads them (moe_ep), not both',
      applies: (shape) => shape.moeTp > 1 && shape.moeEp > 1,
    },
  ],
  sglang: [],
  trtllm: [
    {
      code: 'trtllm-mixed-attention-split',
      message: 'TensorRT-LLM attention is either split (tp) or replicated (attention_dp), not both',
      applies: (shape) => shape.tp > 1 && shape.attentionDp > 1,
    },
  ],
}

/** The engine must know the split. */
export const backendRule: ShapeRule = {
  name: 'backend',
  check(shape, { backend }): ShapeVerdict {
    const found = IMPOSSIBLE[backend].find((limit) => limit.applies(shape))
    if (found === undefined) return { ok: true }
    const { tp, attentionDp, moeTp, moeEp } = shape
    return { ok: false, code: found.code, message: found.message, numbers: { tp, attentionDp, moeTp, moeEp } }
  },
}
