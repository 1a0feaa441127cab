import { type Recorder, STATUS_COMPLETED, STATUS_REJECTED } from './recorder.js'
import type { RequestRow } from './request-row.js'

export interface RequestRowOptions {
  /**
   * `trace` (default): `session_id` and `turn_index` where the workload has names or turns. Upstream writes `none` on one
   * routing target and for open-loop single-turn traces, else `all`: then nameless sessions are called `request_1`, ….
   */
  readonly sessions?: 'trace' | 'none' | 'all'
}

/** Calls back with one row for every terminal request, by arrival, ties by position in the workload. */
export function forEachRequestRow(
  recorder: Recorder,
  onRow: (row: RequestRow) => void,
  options: RequestRowOptions = {},
): void {
  const { status, arrivalMs } = recorder
  const order: number[] = []
  let sorted = true
  for (let request = 0; request < status.length; request++) {
    if (status[request] !== STATUS_COMPLETED && status[request] !== STATUS_REJECTED) continue
    if (sorted && order.length > 0 && arrivalMs[order[order.length - 1]!]! > arrivalMs[request]!) sorted = false
    order.push(request)
  }
  if (!sorted) order.sort((a, b) => arrivalMs[a]! - arrivalMs[b]! || a - b)
  for (const request of order) onRow(requestRow(recorder, request, options))
}

/** The row of one terminal request. */
export function requestRow(recorder: Recorder, request: number, options: RequestRowOptions = {}): RequestRow {
  const { workload, handoff } = recorder
  const produced = recorder.producedTokens[request]!
  const arrival = recorder.arrivalMs[request]!
  const first = recorder.firstTokenMs[request]!
  const last = recorder.lastTokenMs[request]!
  return {
    ...sessionFields(recorder, request, options.sessions ?? 'trace'),
    uuid: rowUuid(request),
    arrival_time_ms: arrival,
    first_admit_ms: orNull(recorder.firstAdmitMs[request]!),
    terminal_time_ms: recorder.terminalMs[request]!,
    first_token_ms: produced > 0 ? first : null,
    last_token_ms: produced > 0 ? last : null,
    ttft_ms: produced > 0 ? first - arrival : null,
    ttst_ms: produced > 1 ? recorder.secondTokenMs[request]! - first : null,
    e2e_latency_ms: produced > 0 ? last - arrival : null,
    itl_ms: produced > 1 ? (last - first) / (produced - 1) : null,
    input_length: workload.inputTokens[request]!,
    requested_output_length: workload.outputTokens[request]!,
    output_length: produced,
    reused_input_tokens: handoff === null ? recorder.reusedTokens[request]! : recorder.prefillReusedTokens[request]!,
    ...handoffFields(recorder, request),
    terminal_status: recorder.status[request] === STATUS_COMPLETED ? 'completed' : 'rejected',
  }
}

function sessionFields(
  recorder: Recorder,
  request: number,
  sessions: 'trace' | 'none' | 'all',
): Pick<RequestRow, 'session_id' | 'turn_index'> {
  const { workload } = recorder
  const session = workload.session[request]!
  const turn = workload.turn[request]!
  const name = workload.sessionIds?.[session] ?? null
  if (sessions === 'all') return { session_id: name ?? `request_${session + 1}`, turn_index: turn }
  const hasTurns = name !== null || turn > 0 || workload.nextTurn[request] !== -1
  if (sessions === 'none' || !hasTurns) return { session_id: null, turn_index: null }
  return { session_id: name, turn_index: turn }
}

type HandoffFields = Pick<
  RequestRow,
  | 'prefill_worker_idx'
  | 'decode_worker_idx'
  | 'prefill_admit_ms'
  | 'source_held_ms'
  | 'destination_reserved_ms'
  | 'destination_activated_ms'
  | 'decode_admit_ms'
  | 'source_released_ms'
  | 'decode_reused_input_tokens'
  | 'prefill_route_overlap_tokens'
  | 'decode_route_overlap_tokens'
>

function handoffFields(recorder: Recorder, request: number): HandoffFields {
  const { handoff, target } = recorder
  const time = (column: Float64Array | undefined): number | null => orNull(column?.[request] ?? Number.NaN)
  const worker = (column: Int32Array | undefined): number | null => {
    const index = column?.[request] ?? -1
    return index === -1 ? null : index
  }
  const prefillWorker = worker(handoff?.prefillWorker)
  const decodeWorker = worker(handoff?.decodeWorker ?? target ?? undefined)
  return {
    prefill_worker_idx: prefillWorker,
    decode_worker_idx: decodeWorker,
    prefill_admit_ms: time(handoff?.prefillAdmitMs),
    source_held_ms: time(handoff?.sourceHeldMs),
    destination_reserved_ms: time(handoff?.destinationReservedMs),
    destination_activated_ms: time(handoff?.destinationActivatedMs),
    decode_admit_ms: time(handoff?.decodeAdmitMs),
    source_released_ms: time(handoff?.sourceReleasedMs),
    decode_reused_input_tokens: handoff === null ? null : handoff.decodeReusedTokens[request]!,
    prefill_route_overlap_tokens: handoff === null ? null : handoff.prefillRouteOverlapTokens[request]!,
    decode_route_overlap_tokens: handoff === null ? null : handoff.decodeRouteOverlapTokens[request]!,
  }
}

function orNull(value: number): number | null {
  return Number.isNaN(value) ? null : value
}

/** A stable identifier in the shape of a version-8 UUID, made from the request's position. */
function rowUuid(request: number): string {
  return `00000000-0000-8000-8000-${request.toString(16).padStart(12, '0')}`
}
