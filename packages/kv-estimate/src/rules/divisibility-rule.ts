import type { ModelSpec, ShapeRule, ShapeVerdict, WorkerShape } from '@spica/schema'

/** A split that leaves a fraction of a head or an expert. */
export interface DivisibilityProblem {
  readonly code: string
  readonly message: string
  readonly numbers: Readonly<Record<string, number>>
}

/**
 * The first split of a shape that does not come out even, or null. Query heads must divide by `tp`; KV heads must too, or `tp` by
 * them, in which case engines replicate them; experts must divide by `moe_ep` and their width by `moe_tp`; attention and experts
 * must use the same GPUs. Vocabulary sizes are padded by engines and forbid nothing.
 */
export function divisibilityProblem(model: ModelSpec, shape: WorkerShape): DivisibilityProblem | null {
  const { tp, attentionDp, moeTp, moeEp } = shape
  for (const heads of headCounts(model)) {
    if (heads % tp === 0) continue
    const numbers = { heads, tp, remainder: heads % tp }
    return problem('heads-not-divisible', `tp ${tp} does not divide the ${heads} attention heads`, numbers)
  }
  for (const kvHeads of kvHeadCounts(model)) {
    if (kvHeads % tp !== 0 && tp % kvHeads !== 0) {
      return problem(
        'kv-heads-not-divisible',
        `tp ${tp} neither divides the ${kvHeads} KV heads nor is a multiple of them`,
        {
          kvHeads,
          tp,
        },
      )
    }
  }
  if (model.moe === null) {
    if (moeTp * moeEp === 1) return null
    return problem(
      'not-a-moe-model',
      `moe_tp ${moeTp} and moe_ep ${moeEp} split experts, which ${model.name} does not have`,
      {
        moeTp,
        moeEp,
      },
    )
  }
  const { experts, interSize } = model.moe
  if (tp * attentionDp !== moeTp * moeEp) {
    const message = `attention uses tp ${tp} × attention_dp ${attentionDp} = ${tp * attentionDp} GPUs, experts moe_tp ${moeTp} × moe_ep ${moeEp} = ${moeTp * moeEp}`
    return problem('gpus-differ', message, { tp, attentionDp, moeTp, moeEp })
  }
  if (experts % moeEp !== 0) {
    return problem('experts-not-divisible', `moe_ep ${moeEp} does not divide the ${experts} experts`, {
      experts,
      moeEp,
      remainder: experts % moeEp,
    })
  }
  if (interSize % moeTp !== 0) {
    return problem('expert-size-not-divisible', `moe_tp ${moeTp} does not divide the expert size ${interSize}`, {
      moeInterSize: interSize,
      moeTp,
      remainder: interSize % moeTp,
    })
  }
  return null
}

/** Heads, experts and GPUs must divide evenly. */
export const divisibilityRule: ShapeRule = {
  name: 'divisibility',
  check(shape, { model }): ShapeVerdict {
    const found = divisibilityProblem(model, shape)
    if (found !== null) return { ok: false, ...found }
    const perRank = Math.max(1, Math.floor(model.kvHeads / shape.tp))
    return { ok: true, numbers: { headsPerRank: model.heads / shape.tp, kvHeadsPerRank: perRank } }
  },
}

function problem(code: string, message: string, numbers: Readonly<Record<string, number>>): DivisibilityProblem {
  return { code, message, numbers }
}

/** Query head counts of the model and of layers that have their own. */
function headCounts(model: ModelSpec): readonly number[] {
  return [...new Set([model.heads, ...model.layerGroups.map((group) => group.heads ?? model.heads)])]
}

/** KV head counts that a split must respect; latent attention has none. */
function kvHeadCounts(model: ModelSpec): readonly number[] {
  const counts = model.layerGroups
    .filter((group) => group.mixer === 'full' || group.mixer === 'sliding')
    .map((group) => group.kvHeads ?? model.kvHeads)
  return [...new Set(counts)]
}
