import {
  type Backend,
  type EngineSettings,
  type HardwareSpec,
  type KvFormat,
  type KvLoadFields,
  type ModelSpec,
  type ParallelConfig,
  type ReplicatedShape,
  type Role,
  resolveKvLoad,
} from '@spica/schema'
import { estimateKv } from './estimate-kv.js'
import type { KvCompat, KvEstimate } from './kv-types.js'

/** What an engine of one role is started with. */
export interface RoleEngine {
  readonly settings: EngineSettings
  readonly blockSize: number
}

export interface KvLoadInput {
  readonly model: ModelSpec
  readonly hardware: HardwareSpec
  readonly backend: Backend
  readonly config: ParallelConfig
  /** Engines of every role the deployment has. */
  readonly engines: Readonly<Partial<Record<Role, RoleEngine>>>
  /** Share of the capacity to keep in flight. */
  readonly ratio: number
  readonly isl: number
  readonly osl: number
  readonly kvCacheDtype?: KvFormat
  readonly maxSequenceTokens?: number
  readonly nextn?: number
  readonly compat?: KvCompat
}

export type KvLoadAnswer =
  | {
      readonly feasible: true
      readonly concurrency: number
      readonly fields: KvLoadFields
      readonly estimates: Readonly<Partial<Record<Role, KvEstimate>>>
    }
  | { readonly feasible: false; readonly code: string; readonly role: Role; readonly message: string }

/**
 * Requests in flight for a share of the KV capacity: every role must have a cache with its own batching and memory fraction; the
 * decode pool (aggregated: the one pool) sets the number, by `resolveKvLoad` of `@spica/schema`.
 */
export function kvLoadConcurrency(input: KvLoadInput): KvLoadAnswer {
  const estimates: Partial<Record<Role, KvEstimate>> = {}
  const figures: Partial<Record<Role, { perRankTokens: number; blockSize: number }>> = {}
  for (const [role, shape] of rolesOf(input.config)) {
    const engine = input.engines[role]
    if (engine === undefined) {
      return { feasible: false, code: 'missing-engine', role, message: `no settings are given for the ${role} engines` }
    }
    const estimate = estimateKv({ ...input, shape, settings: engine.settings })
    estimates[role] = estimate
    if (estimate.reason !== null || estimate.totalKvSizeTokens === null) {
      const { code, message } = estimate.reason ?? { code: 'no-kv-budget', message: 'no KV budget' }
      return { feasible: false, code, role, message: `${role}: ${message}` }
    }
    figures[role] = { perRankTokens: estimate.totalKvSizeTokens, blockSize: engine.blockSize }
  }
  const { ratio, isl, osl, config } = input
  const result = resolveKvLoad({ ratio, isl, osl, config, figures })
  if (!result.feasible) return { feasible: false, code: result.code, role: result.role, message: result.message }
  return { feasible: true, concurrency: result.concurrency, fields: result.fields, estimates }
}

function rolesOf(config: ParallelConfig): readonly (readonly [Role, ReplicatedShape])[] {
  if (config.mode === 'agg') return [['agg', config.agg]]
  return [
    ['prefill', config.prefill],
    ['decode', config.decode],
  ]
}
