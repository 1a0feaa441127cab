import type { ReplayReport } from '@spica/schema'
import { SpicaError } from '@spica/schema'
import type { DetailedReplay, ReplayOptions } from './replay-options.js'

/** Replays the workload on the deployment. Throws `SpicaError` for options that contradict each other. */
export function replay(options: ReplayOptions): ReplayReport {
  return replayDetailed(options).report
}

/** Like `replay`, with load over time and scaling events. */
export function replayDetailed(_options: ReplayOptions): DetailedReplay {
  throw new SpicaError('internal', 'not-yet-implemented', 'replay is being built')
}
