import type { ForwardPassMetrics } from '@spica/schema/core'
import type { PlannerConfig } from '../config/planner-config.js'
import { ForwardPassModel, type PassWork } from './forward-pass-model.js'
import { RunningMean } from './running-mean.js'

const MS_PER_SECOND = 1000
/** Largest share of a prompt that a prefix-cache hit can save. */
export const MAX_HIT_RATE = 0.95

export type PoolRole = 'prefill' | 'decode' | 'aggregated'

/** Scaling of the queue and of decode work in a what-if question, and which queued work to count as decoding. */
export interface WhatIf {
  readonly queueScale?: number
  readonly decodeScale?: number
  readonly includeQueuedDecode?: boolean
  readonly includeQueuedPrefillAsKv?: boolean
}

/**
 * One pool's learned pass times with the running means of its traffic: what the next request would wait (`nextTtftMs`) and what
 * a decode step would take (`nextItlMs`) on a given worker.
 */
export class PoolModel {
  readonly passes: ForwardPassModel
  private readonly meanPrefillLength: RunningMean
  private readonly meanPassPrefill: RunningMean
  private readonly meanDecodeLength: RunningMean

  /** @param compat upstream's single mean, in which passes without prefill count as prompts of length 0 */
  constructor(
    private readonly role: PoolRole,
    config: PlannerConfig,
    private readonly compat: boolean,
  ) {
    this.passes = new ForwardPassModel({
      maxSamples: config.max_num_fpm_samples,
      minObservations: config.load_min_observations,
      bucketCount: config.fpm_sample_bucket_size,
      composeMixed: !compat,
    })
    this.meanPrefillLength = new RunningMean(config.max_num_fpm_samples)
    this.meanPassPrefill = new RunningMean(config.max_num_fpm_samples)
    this.meanDecodeLength = new RunningMean(config.max_num_fpm_samples)
  }

  /** Prefill tokens that a decode pass of this pool carries on average. */
  private get passPrefillTokens(): number {
    if (this.role !== 'aggregated') return 0
    return this.compat ? this.meanPrefillLength.value : this.meanPassPrefill.value
  }

  /** Mean prompt tokens of the prefills seen lately; 0 before the first. */
  get meanIslTokens(): number {
    return this.meanPrefillLength.value
  }

  /** Updates the running means from one worker rank's newest pass. */
  observeLengths(item: ForwardPassMetrics): void {
    if (item.num_prefill_requests > 0) this.meanPrefillLength.add(item.sum_prefill_tokens / item.num_prefill_requests)
    else if (this.compat) this.meanPrefillLength.add(0)
    if (item.num_prefill_requests + item.num_decode_requests > 0) this.meanPassPrefill.add(item.sum_prefill_tokens)
    if (item.num_decode_requests > 0) this.meanDecodeLength.add(item.sum_decode_kv_tokens / item.num_decode_requests)
  }

  /** Learns one iteration: the ranks of a worker that stepped together, or a single rank. */
  learnIteration(ranks: readonly ForwardPassMetrics[]): void {
    let heaviest: PassWork | null = null
    let most = -1
    let seconds = 0
    for (const item of ranks) {
      const work = workOf(item)
      const size = work.prefillTokens + work.decodeRequests + work.decodeKvTokens
      seconds = Math.max(seconds, item.wall_time)
      if (size > most) {
        most = size
        heaviest = work
      }
    }
    if (heaviest !== null) this.passes.learn(heaviest, seconds * MS_PER_SECOND)
  }

  /**
   * Time to first token of the next request on a worker, ms: its queue and the request itself, less the prefix-cache hits,
   * in chunks of `chunkTokens`, each pass carrying the worker's decode work. null when unknown.
   */
  nextTtftMs(item: ForwardPassMetrics, chunkTokens: number, hitRate: number, whatIf: WhatIf = {}): number | null {
    const { queueScale = 1, decodeScale = 1, includeQueuedDecode = false } = whatIf
    const queued = (item.sum_queued_prefill_tokens * queueScale + this.meanIslTokens) * (1 - hitRate)
    const kv = item.sum_decode_kv_tokens + (includeQueuedDecode ? item.sum_queued_decode_kv_tokens : 0)
    const requests = item.num_decode_requests + (includeQueuedDecode ? item.num_queued_decode : 0)
    const carries = this.role === 'aggregated'
    return this.passes.drainMs(
      ceilTokens(queued),
      chunkTokens,
      carries ? ceilTokens(requests * decodeScale) : 0,
      carries ? ceilTokens(kv * decodeScale) : 0,
    )
  }

  /** Decode step with one more request on a worker, ms before dividing by the accept length; null when unknown. */
  nextItlMs(item: ForwardPassMetrics, whatIf: WhatIf = {}): number | null {
    const { decodeScale = 1, includeQueuedDecode = true, includeQueuedPrefillAsKv = false } = whatIf
    let kv = item.sum_decode_kv_tokens
    let requests = item.num_decode_requests
    if (includeQueuedDecode) {
      kv += item.sum_queued_decode_kv_tokens
      requests += item.num_queued_decode
    }
    if (includeQueuedPrefillAsKv) {
      kv += item.sum_queued_prefill_tokens
      requests += item.num_queued_prefill
    }
    kv *= decodeScale
    requests *= decodeScale
    if (this.meanDecodeLength.value > 0) {
      kv += this.meanDecodeLength.value
      requests += 1
    }
    return this.passes.passMs({
      prefillTokens: ceilTokens(this.passPrefillTokens),
      decodeRequests: ceilTokens(requests),
      decodeKvTokens: ceilTokens(kv),
    })
  }
}

/** Work a metrics record describes. */
export function workOf(item: ForwardPassMetrics): PassWork {
  return {
    prefillTokens: item.sum_prefill_tokens,
    decodeRequests: item.num_decode_requests,
    decodeKvTokens: item.sum_decode_kv_tokens,
  }
}

function ceilTokens(value: number): number {
  return value <= 0 ? 0 : Math.ceil(value)
}
