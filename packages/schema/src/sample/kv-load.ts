import type { ParallelConfig, ReplicatedShape, Role } from '../domain/parallel.js'

/** KV figures of one role: tokens one attention rank holds, and tokens per block. */
export interface RoleKvFigures {
  readonly perRankTokens: number
  readonly blockSize: number
}

export interface KvLoadQuery {
  /** Share of the capacity to keep in flight; above 1 queues. */
  readonly ratio: number
  /** Prompt tokens. */
  readonly isl: number
  /** Generated tokens. */
  readonly osl: number
  readonly config: ParallelConfig
  /** Figures of every role the deployment has. */
  readonly figures: Readonly<Partial<Record<Role, RoleKvFigures>>>
}

/** Sample fields that a KV load adds. */
export interface KvLoadFields {
  readonly kv_load_ratio: number
  readonly kv_load_concurrency_capacity: number
  readonly kv_load_capacity_tokens: number
  readonly agg_kv_capacity_tokens?: number
  readonly prefill_kv_capacity_tokens?: number
  readonly decode_kv_capacity_tokens?: number
  readonly concurrency: number
}

export type KvLoadResult =
  | { readonly feasible: true; readonly concurrency: number; readonly fields: KvLoadFields }
  | {
      readonly feasible: false
      readonly code: 'kv-capacity-too-small'
      readonly role: Role
      readonly message: string
      /** Tokens the pool of `role` holds, and tokens it needs at least. */
      readonly capacityTokens: number
      readonly neededTokens: number
    }

/**
 * Requests in flight for a KV load. A pool holds floor(per-rank tokens / block) · block · attention_dp · replicas
 * tokens; a request takes isl + floor(osl / 2) of them on average; the concurrency is floor(ratio · requests that fit),
 * at least 1. Disaggregated deployments are measured by their decode pool. Infeasible when not one request fits, or a
 * prefill pool holds nothing.
 */
export function resolveKvLoad(query: KvLoadQuery): KvLoadResult {
  const { ratio, isl, osl, config } = query
  const neededTokens = isl + Math.floor(osl / 2)
  const loadRole = config.mode === 'agg' ? 'agg' : 'decode'
  const capacities: Partial<Record<Role, number>> = {}
  for (const [role, shape] of roleShapes(config)) {
    const capacityTokens = poolTokens(query.figures[role], shape)
    const needed = role === loadRole ? neededTokens : 1
    if (!(capacityTokens >= needed)) {
      const message = `the ${role} KV cache holds ${capacityTokens} tokens, fewer than the ${needed} one request takes`
      const fault = { code: 'kv-capacity-too-small', role, message, capacityTokens, neededTokens: needed } as const
      return { feasible: false, ...fault }
    }
    capacities[role] = capacityTokens
  }
  const capacityTokens = capacities[loadRole] ?? 0
  const requests = Math.floor(capacityTokens / neededTokens)
  const concurrency = Math.max(1, Math.floor(ratio * requests))
  const perRole = Object.entries(capacities).map(([role, tokens]) => [`${role}_kv_capacity_tokens`, tokens])
  const fields = {
    kv_load_ratio: ratio,
    kv_load_concurrency_capacity: requests,
    kv_load_capacity_tokens: capacityTokens,
    ...Object.fromEntries(perRole),
    concurrency,
  } as KvLoadFields
  return { feasible: true, concurrency, fields }
}

function roleShapes(config: ParallelConfig): readonly (readonly [Role, ReplicatedShape])[] {
  if (config.mode === 'agg') return [['agg', config.agg]]
  return [
    ['prefill', config.prefill],
    ['decode', config.decode],
  ]
}

function poolTokens(figures: RoleKvFigures | undefined, shape: ReplicatedShape): number {
  if (figures === undefined || !(figures.perRankTokens > 0)) return 0
  const { perRankTokens, blockSize } = figures
  return Math.floor(perRankTokens / blockSize) * blockSize * shape.attentionDp * shape.replicas
}
