import { SpicaError } from '@spica/schema'
import type { PassSubject } from './operators/plan-pass.js'

/**
 * Refuses subjects that no worker can be: sizes below one, a MoE split that does not cover the same GPUs as the attention,
 * more expert ranks than experts, or heads that tp cannot share.
 *
 * @throws SpicaError `invalid-shape`
 */
export function checkSubject(subject: PassSubject): void {
  const { model, shape } = subject
  for (const [name, value] of Object.entries({
    tp: shape.tp,
    attention_dp: shape.attentionDp,
    moe_tp: shape.moeTp,
    moe_ep: shape.moeEp,
  })) {
    if (!Number.isSafeInteger(value) || value < 1) {
      throw shapeError(`${name} must be a positive integer, got ${value}`)
    }
  }
  const gpus = shape.tp * shape.attentionDp
  if (model.moe !== null && shape.moeTp * shape.moeEp !== gpus) {
    throw shapeError(
      `moe_tp × moe_ep = ${shape.moeTp} × ${shape.moeEp} must equal tp × attention_dp = ${shape.tp} × ${shape.attentionDp}`,
    )
  }
  if (model.moe !== null && shape.moeEp > model.moe.experts) {
    throw shapeError(`moe_ep ${shape.moeEp} exceeds the ${model.moe.experts} experts of ${model.name}`)
  }
  if (model.heads % shape.tp !== 0) {
    throw shapeError(`tp ${shape.tp} does not divide the ${model.heads} attention heads of ${model.name}`)
  }
}

function shapeError(message: string): SpicaError {
  return new SpicaError('input', 'invalid-shape', message, {
    hint: 'see which shapes `spica enumerate` lists for the model',
  })
}
