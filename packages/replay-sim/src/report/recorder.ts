import type { Workload } from '../workload/workload.js'
import { GapLog } from './gap-log.js'
import type { TokenLog } from './token-log.js'

/** Values of `Recorder.status`; 0 = not seen yet. */
export const STATUS_IN_FLIGHT = 1 as const
export const STATUS_COMPLETED = 2 as const
export const STATUS_REJECTED = 3 as const

/** Extra per-request columns of disaggregated runs. Times ms, NaN = never; workers −1 = none. */
export interface HandoffLog {
  readonly prefillWorker: Int32Array
  readonly decodeWorker: Int32Array
  readonly prefillAdmitMs: Float64Array
  readonly sourceHeldMs: Float64Array
  readonly destinationReservedMs: Float64Array
  readonly destinationActivatedMs: Float64Array
  readonly decodeAdmitMs: Float64Array
  readonly sourceReleasedMs: Float64Array
  /** Most reused tokens of any admission on the decode side. */
  readonly decodeReusedTokens: Int32Array
  readonly prefillRouteOverlapTokens: Int32Array
  readonly decodeRouteOverlapTokens: Int32Array
}

/** Worker time and shape of one pool. */
export interface PoolUsage {
  /** ∫ (active + starting + draining) workers dt, seconds. */
  workerSeconds: number
  gpusPerWorker: number
}

/** What a run leaves behind: one entry a request in every column, workload order. Times in ms from the start of the run. */
export interface Recorder extends TokenLog {
  readonly workload: Workload
  readonly status: Uint8Array
  readonly arrivalMs: Float64Array
  readonly firstAdmitMs: Float64Array
  readonly terminalMs: Float64Array
  /** Prefix-cache reuse of the first admission, and the largest of all admissions (both pools), tokens. */
  readonly firstReusedTokens: Int32Array
  readonly reusedTokens: Int32Array
  /** Prefill-side reuse alone (= reusedTokens in agg), for the rows. */
  readonly prefillReusedTokens: Int32Array
  /** Aggregated runs with several routing targets: worker · ranks + rank each request was sent to, −1 = none; else null. */
  readonly target: Int32Array | null
  /** null for aggregated runs. */
  readonly handoff: HandoffLog | null
  /** Aggregated workers count as decode; the absent pool has zeros. */
  readonly prefill: PoolUsage
  readonly decode: PoolUsage
  /** Requests in the order they reached a terminal state (for streaming rows). */
  readonly terminalOrder: Int32Array
  terminalCount: number
  /** Requests that arrived. */
  arrivedCount: number
  /** Clock when the run ended. */
  endMs: number
}

function nanColumn(count: number): Float64Array {
  return new Float64Array(count).fill(Number.NaN)
}

function newHandoffLog(count: number): HandoffLog {
  return {
    prefillWorker: new Int32Array(count).fill(-1),
    decodeWorker: new Int32Array(count).fill(-1),
    prefillAdmitMs: nanColumn(count),
    sourceHeldMs: nanColumn(count),
    destinationReservedMs: nanColumn(count),
    destinationActivatedMs: nanColumn(count),
    decodeAdmitMs: nanColumn(count),
    sourceReleasedMs: nanColumn(count),
    decodeReusedTokens: new Int32Array(count),
    prefillRouteOverlapTokens: new Int32Array(count),
    decodeRouteOverlapTokens: new Int32Array(count),
  }
}

/** An empty recorder for a run of `workload`. */
export function newRecorder(workload: Workload, disaggregated: boolean, hasTargets = false): Recorder {
  const { count } = workload
  return {
    workload,
    status: new Uint8Array(count),
    arrivalMs: nanColumn(count),
    firstAdmitMs: nanColumn(count),
    firstTokenMs: nanColumn(count),
    secondTokenMs: nanColumn(count),
    lastTokenMs: nanColumn(count),
    terminalMs: nanColumn(count),
    producedTokens: new Int32Array(count),
    firstReusedTokens: new Int32Array(count),
    reusedTokens: new Int32Array(count),
    prefillReusedTokens: new Int32Array(count),
    gaps: new GapLog(),
    target: hasTargets ? new Int32Array(count).fill(-1) : null,
    handoff: disaggregated ? newHandoffLog(count) : null,
    prefill: { workerSeconds: 0, gpusPerWorker: 0 },
    decode: { workerSeconds: 0, gpusPerWorker: 0 },
    terminalOrder: new Int32Array(count),
    terminalCount: 0,
    arrivedCount: 0,
    endMs: 0,
  }
}
