import { SpicaError } from '@spica/schema'
import type { ReplayOptions } from './replay-options.js'

function reject(code: string, message: string, hint: string): never {
  throw new SpicaError('input', code, message, { hint })
}

function checkCount(name: string, value: number | undefined): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= 1)) return
  reject(
    'invalid-worker-count',
    `${name} must be a whole number of at least 1, not ${value}`,
    'give the number of workers',
  )
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
  checkCount('workers', options.workers)
  checkCount('prefillWorkers', options.prefillWorkers)
  checkCount('decodeWorkers', options.decodeWorkers)
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
