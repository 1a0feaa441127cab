import { resolve } from 'node:path'
import { type LoadedTrace, loadTrace, type SharedWorkload, workloadToShared } from '@spica/replay-sim'
import { SpicaError, type WorkloadConfig } from '@spica/schema'
import { readInputBytes } from '../io/read-input.js'

/** The trace of a workload, read (gzip too) and loaded into shared memory; null for a synthetic load. */
export function openTrace(
  workload: WorkloadConfig,
  baseFolder: string,
): { shared: SharedWorkload; loaded: LoadedTrace } | null {
  if (workload.trace_path === null) return null
  const path = resolve(baseFolder, workload.trace_path)
  const loaded = loadTrace(readInputBytes(path), {
    format: workload.trace_format,
    arrivalSpeedupRatio: workload.arrival_speedup_ratio,
    closedLoop: workload.replay_concurrency !== null,
    file: workload.trace_path,
  })
  if (loaded.workload.count === 0)
    throw new SpicaError('input', 'empty-trace', `${workload.trace_path} has no requests`, { location: { file: path } })
  return { shared: workloadToShared(loaded.workload), loaded }
}
