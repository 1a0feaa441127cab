import type { ReplayReport } from '@spica/schema'
import { checkOptions } from './check-options.js'
import { quirksOf } from './compat.js'
import type { DetailedReplay, ReplayOptions } from './replay-options.js'
import { buildReport } from './report/build-report.js'
import { type Recorder, STATUS_COMPLETED } from './report/recorder.js'
import { forEachRequestRow, type RequestRowOptions } from './report/request-rows.js'
import { buildSimulation } from './runtime/build-simulation.js'

/** Replays the workload on the deployment. Throws `SpicaError` (kind `input`) for options that contradict each other. */
export function replay(options: ReplayOptions): ReplayReport {
  return replayDetailed(options).report
}

/** Like `replay`, with load over time and scaling events. */
export function replayDetailed(options: ReplayOptions): DetailedReplay {
  checkOptions(options)
  const clockMs = options.clockMs ?? (() => 0)
  const startedMs = clockMs()
  const { simulation, recorder, timeline, planner, isSingle } = buildSimulation(options)
  simulation.run()
  if (isSingle)
    recorder.decode.workerSeconds = singleWorkerSeconds(
      recorder,
      quirksOf(options.compat).nothingCompletedIsANanosecond,
    )
  const report = buildReport(recorder, { sla: options.sla, wallTimeMs: clockMs() - startedMs })
  if (options.onRequest !== undefined) forEachRequestRow(recorder, options.onRequest, rowOptions(options, isSingle))
  return { report, timeline: timeline.points, scalingEvents: planner?.events ?? [] }
}

/** A lone worker is counted until its last completion. With none, until the clock stopped (upstream: a nanosecond). */
function singleWorkerSeconds(recorder: Recorder, nothingIsANanosecond: boolean): number {
  let lastMs = 0
  let completed = 0
  for (let request = 0; request < recorder.status.length; request++) {
    if (recorder.status[request] !== STATUS_COMPLETED) continue
    completed++
    lastMs = Math.max(lastMs, recorder.terminalMs[request]!)
  }
  if (completed > 0) return lastMs / 1000
  return nothingIsANanosecond ? 1e-9 : recorder.endMs / 1000
}

/** Upstream names sessions only where its multi-target loop ran over sessions. */
function rowOptions(options: ReplayOptions, isSingle: boolean): RequestRowOptions {
  if (!quirksOf(options.compat).namesSessionsByLoop) return {}
  const { workload, load } = options
  const isPlain = load.kind === 'open' && workload.nextTurn.every((next) => next < 0)
  return { sessions: isSingle || isPlain ? 'none' : 'all' }
}
