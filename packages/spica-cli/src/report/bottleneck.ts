/** What holds a deployment back. */
export type BottleneckKind = 'prefill' | 'decode' | 'kv' | 'router' | 'traffic'

export interface Bottleneck {
  readonly kind: BottleneckKind
  /** The verdict in a few words. */
  readonly title: string
  readonly because: string
  /** Figures behind it, as label and formatted value. */
  readonly numbers: readonly (readonly [label: string, value: string])[]
}

/** Columns over time of one pool. */
export type PoolTimeline = Readonly<Record<string, readonly number[]>>

export interface BottleneckFacts {
  /** Pools by name: `prefill` and `decode`; aggregated deployments have only `decode`. */
  readonly timeline: Readonly<Record<string, PoolTimeline>>
  readonly metrics: Readonly<Record<string, number>>
  /** True when a fixed number of requests is kept in flight, so that the deployment itself sets the pace. */
  readonly closedLoop: boolean
  /** Share of pass time spent on prefill, 0…1, when it is known. */
  readonly prefillShare: number | null
}

/** Requests that wait, as a share of those in the pool, from which a pool counts as queueing. */
export const QUEUE_SHARE = 0.05
/** KV occupancy that counts as full. */
export const KV_FULL = 0.9
/** Share of the time the KV cache must be full. */
export const KV_FULL_TIME = 0.5
/** Busy workers below which a queue is the router's doing. */
export const IDLE_WORKERS = 0.7
/** Busy prefill workers from which prefill is saturated in a closed loop. */
export const PREFILL_BUSY = 0.85
/** The start and the end of a run, as shares of its time, do not count: it fills up and drains there. */
export const TRIMMED = 0.1

interface PoolLoad {
  readonly name: string
  readonly busy: number
  readonly kv: number
  readonly kvFullTime: number
  readonly queue: number
}

/**
 * The rule, first match wins. Means are over the middle 80 % of the run. What waits is compared with what is served: the
 * running requests, or one for each worker inside a pass where that is more, since a pool counts no request as running
 * that enters and leaves within one pass.
 *
 * 1. KV-bound: some pool's KV cache is ≥ 90 % full for at least half of the time while ≥ 5 % of its requests wait.
 * 2. Router-bound: ≥ 5 % of a pool's requests wait while under 70 % of its workers are inside a pass.
 * 3. Traffic-bound: requests come at their own times and under 5 % wait anywhere.
 * 4. Prefill-bound (disaggregated): ≥ 5 % of prefill requests wait and decode queues less, or, in a closed loop, ≥ 85 %
 *    of prefill workers are busy.
 * 5. Otherwise the phase that takes more: decode in disaggregated deployments; in aggregated ones prefill when it has
 *    more than half of the pass time (or, where that is unknown, when TTFT is more than half of end-to-end latency).
 *
 * Null without a timeline.
 */
export function classifyBottleneck(facts: BottleneckFacts): Bottleneck | null {
  const pools = Object.entries(facts.timeline).flatMap(([name, pool]) => poolLoad(name, pool) ?? [])
  if (pools.length === 0) return null
  const disagg = pools.some((pool) => pool.name === 'prefill')
  const label = (pool: PoolLoad) => (disagg ? `the ${pool.name} pool` : 'the workers')
  const numbers = figures(pools, disagg)
  const verdict = (kind: BottleneckKind, title: string, because: string): Bottleneck => ({
    kind,
    title,
    because,
    numbers,
  })

  const full = pools.find((pool) => pool.kvFullTime >= KV_FULL_TIME && pool.queue >= QUEUE_SHARE)
  if (full !== undefined)
    return verdict(
      'kv',
      'KV-bound',
      `The KV cache of ${label(full)} is full most of the time and requests wait for blocks. More GPUs per worker, a smaller KV format or fewer requests at once would help.`,
    )
  const unbalanced = pools.find((pool) => pool.queue >= QUEUE_SHARE && pool.busy < IDLE_WORKERS && pool.kv < KV_FULL)
  if (unbalanced !== undefined)
    return verdict(
      'router',
      'Router-bound',
      `Requests wait at ${label(unbalanced)} while other workers there are idle: routing spreads the load unevenly.`,
    )
  if (!facts.closedLoop && pools.every((pool) => pool.queue < QUEUE_SHARE))
    return verdict(
      'traffic',
      'Traffic-bound',
      'Hardly any request waits: the traffic, not the deployment, sets the pace. There is capacity to spare.',
    )
  const prefill = pools.find((pool) => pool.name === 'prefill')
  const decode = pools.find((pool) => pool.name === 'decode') ?? (pools[0] as PoolLoad)
  if (prefill !== undefined && isPrefillShort(prefill, decode, facts.closedLoop))
    return verdict(
      'prefill',
      'Prefill-bound',
      'Prefill workers are short: prompts wait for them, or they are hardly ever idle. More prefill workers, or larger prefill passes, would help.',
    )
  if (!disagg && prefillDominates(facts))
    return verdict(
      'prefill',
      'Prefill-bound',
      'More than half of the time goes into prompts. Prefix caching, larger passes or a disaggregated prefill pool would help.',
    )
  return verdict(
    'decode',
    'Decode-bound',
    'Generating tokens takes most of the time. Larger decode batches, more decode workers or a faster split would help.',
  )
}

function isPrefillShort(prefill: PoolLoad, decode: PoolLoad, closedLoop: boolean): boolean {
  return (closedLoop && prefill.busy >= PREFILL_BUSY) || (prefill.queue >= QUEUE_SHARE && prefill.queue > decode.queue)
}

function prefillDominates({ prefillShare, metrics }: BottleneckFacts): boolean {
  if (prefillShare !== null) return prefillShare > 0.5
  const ttftMs = metrics['mean_ttft_ms'] ?? 0
  const e2eMs = metrics['mean_e2e_latency_ms'] ?? 0
  return e2eMs > 0 && ttftMs / e2eMs > 0.5
}

function poolLoad(name: string, pool: PoolTimeline): PoolLoad | null {
  const times = pool['timeMs'] ?? []
  if (times.length === 0) return null
  const first = times[0] as number
  const last = times[times.length - 1] as number
  const from = first + (last - first) * TRIMMED
  const to = last - (last - first) * TRIMMED
  const inside = times.flatMap((time, index) => (time >= from && time <= to ? [index] : []))
  const chosen = inside.length === 0 ? times.map((_, index) => index) : inside
  const mean = (of: (index: number) => number) => chosen.reduce((sum, index) => sum + of(index), 0) / chosen.length
  const at = (column: string) => (index: number) => pool[column]?.[index] ?? 0
  const served = mean((index) =>
    Math.max(at('runningRequests')(index), at('busyWorkers')(index) * at('activeWorkers')(index)),
  )
  const waiting = mean(at('waitingRequests'))
  return {
    name,
    busy: mean(at('busyWorkers')),
    kv: mean(at('kvUtilisation')),
    kvFullTime: mean((index) => (at('kvUtilisation')(index) >= KV_FULL ? 1 : 0)),
    queue: served + waiting > 0 ? waiting / (served + waiting) : 0,
  }
}

function figures(pools: readonly PoolLoad[], disagg: boolean): [string, string][] {
  const percent = (share: number) => `${Math.round(share * 100)} %`
  return pools.flatMap((pool): [string, string][] => {
    const name = disagg ? `${pool.name}: ` : ''
    return [
      [`${name}workers busy`, percent(pool.busy)],
      [`${name}KV in use`, percent(pool.kv)],
      [`${name}requests waiting`, percent(pool.queue)],
    ]
  })
}
