import { type EngineArgs, SpicaError } from '@spica/schema'
import type { ReplayOptions } from './replay-options.js'

function reject(code: string, message: string, hint: string): never {
  throw new SpicaError('input', code, message, { hint })
}

/** Most workers of a pool times attention-DP ranks; every rank has a scheduler and a cache of its own. */
const MAX_RANKS = 65_536

function checkCount(name: string, value: number | undefined, ranksPerWorker: number): void {
  const count = value ?? 1
  if (Number.isSafeInteger(count) && count >= 1) {
    if (count * ranksPerWorker <= MAX_RANKS) return
    reject(
      'too-many-workers',
      `${name}: ${count} workers of ${ranksPerWorker} ranks are more than ${MAX_RANKS} ranks`,
      'use fewer workers',
    )
  }
  reject(
    'invalid-worker-count',
    `${name} must be a whole number of at least 1, not ${value}`,
    'give the number of workers',
  )
}

function ranksOf(args: EngineArgs | undefined): number {
  return Math.max(args?.dp_size ?? 1, args?.aic_attention_dp_size ?? 1)
}

/** Refuses options that contradict each other or are out of range. */
export function checkOptions(options: ReplayOptions): void {
  const isAggregated = options.engine !== undefined
  if (isAggregated === (options.prefill !== undefined || options.decode !== undefined)) {
    reject(
      'ambiguous-deployment',
      isAggregated ? 'both engine and prefill/decode are given' : 'no engine arguments are given',
      'give engine for an aggregated deployment, or prefill and decode for a disaggregated one',
    )
  }
  if (isAggregated && (options.prefillWorkers !== undefined || options.decodeWorkers !== undefined)) {
    reject('unused-option', 'prefillWorkers and decodeWorkers need a disaggregated deployment', 'use workers')
  }
  if (!isAggregated && options.workers !== undefined && options.workers !== 1) {
    reject(
      'unused-option',
      'workers has no meaning in a disaggregated deployment',
      'use prefillWorkers and decodeWorkers',
    )
  }
  checkCount('workers', options.workers, ranksOf(options.engine))
  checkCount('prefillWorkers', options.prefillWorkers, ranksOf(options.prefill))
  checkCount('decodeWorkers', options.decodeWorkers, ranksOf(options.decode))
  if (
    options.load.kind === 'closed' &&
    !(Number.isSafeInteger(options.load.concurrency) && options.load.concurrency >= 1)
  ) {
    reject('invalid-concurrency', `concurrency must be a whole number of at least 1`, 'give the requests in flight')
  }
  if (options.maxSimTimeMs !== undefined && !(options.maxSimTimeMs > 0)) {
    reject('invalid-time-cap', 'maxSimTimeMs must be above 0', 'leave it out to run to the end')
  }
  for (const [name, value] of Object.entries(options.sla ?? {})) {
    if (value !== undefined && !(Number.isFinite(value) && value >= 0)) {
      reject('invalid-sla', `sla.${name} must be a finite number of at least 0`, 'thresholds are in ms')
    }
  }
}
