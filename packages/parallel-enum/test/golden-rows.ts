import type { ParallelConfig, Parameter, ReplicatedShape } from '@spica/schema'

/** A latent parameter as the golden files write it. */
export interface GoldenParameter {
  name: string
  kind: 'float' | 'discrete' | 'categorical'
  default: number | string
  values: (number | string)[]
  minimum: number | null
  maximum: number | null
  log_scale: boolean
}

export function goldenParameter(parameter: Parameter): GoldenParameter {
  if (parameter.kind === 'integer') throw new Error('latent parameters are never integers')
  const isFloat = parameter.kind === 'float'
  return {
    name: parameter.name,
    kind: parameter.kind,
    default: parameter.default ?? Number.NaN,
    values: isFloat ? [] : [...parameter.values],
    minimum: isFloat ? parameter.min : null,
    maximum: isFloat ? parameter.max : null,
    log_scale: parameter.kind === 'discrete' && parameter.scale === 'log',
  }
}

function shapeFromTuple([tp, attentionDp, moeTp, moeEp, replicas]: readonly number[]): ReplicatedShape {
  return { tp: tp!, attentionDp: attentionDp!, moeTp: moeTp!, moeEp: moeEp!, replicas: replicas! }
}

/** 5 numbers: aggregated; 10: prefill, then decode. */
export function configFromTuple(tuple: readonly number[]): ParallelConfig {
  if (tuple.length === 5) return { mode: 'agg', agg: shapeFromTuple(tuple) }
  return { mode: 'disagg', prefill: shapeFromTuple(tuple.slice(0, 5)), decode: shapeFromTuple(tuple.slice(5)) }
}
