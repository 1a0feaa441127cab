import type { LoadMode, Workload } from '../workload/workload.js'
import { RequestHeap } from './request-heap.js'

/**
 * When requests become ready. Open loop: at their arrival time, later turns and dependants when what they wait for has
 * ended. Closed loop: sessions start in order while fewer than `concurrency` are alive. Simultaneous ones follow
 * (session, turn).
 */
export class Arrivals {
  private readonly workload: Workload
  private readonly concurrency: number
  /** Open loop: requests with an arrival time, sorted. Closed loop: first turns in session order. Consumed from `next`. */
  private readonly scheduled: Int32Array
  private next = 0
  /** Ready time of the request taken last. */
  takenMs = 0
  /** Closed loop: how many of `scheduled` may have started, and when each was allowed to. */
  private released: number
  private readonly releasedMs: Float64Array
  private readonly ready: RequestHeap
  /** Meaningful in closed loop only. */
  private aliveSessions = 0
  private readonly missing: Int32Array | null
  private readonly dependants: { readonly offsets: Uint32Array; readonly items: Uint32Array } | null

  constructor(workload: Workload, load: LoadMode) {
    this.workload = workload
    this.concurrency = load.kind === 'closed' ? load.concurrency : Number.POSITIVE_INFINITY
    this.ready = new RequestHeap(workload.session, workload.turn)
    this.missing = dependencyCounts(workload)
    this.dependants = this.missing === null ? null : invertDependencies(workload)
    this.scheduled = load.kind === 'closed' ? sessionStarts(workload, this.missing) : arrivalOrder(workload)
    this.released = load.kind === 'closed' ? 0 : this.scheduled.length
    this.releasedMs = new Float64Array(load.kind === 'closed' ? this.scheduled.length : 0)
    if (load.kind === 'closed') this.startSessions(0)
  }

  /** Time of the next ready request, Infinity when none is known. */
  nextMs(): number {
    return Math.min(this.timedMs(), this.ready.topMs)
  }

  get isClosed(): boolean {
    return this.concurrency !== Number.POSITIVE_INFINITY
  }

  /** Takes the next request ready by `nowMs`, or −1. Its ready time is left in `takenMs`. */
  take(nowMs: number): number {
    const { ready } = this
    const atMs = this.timedMs()
    if (atMs <= nowMs) {
      const request = this.scheduled[this.next]!
      if (ready.topMs > atMs || (ready.topMs === atMs && !ready.precedes(request))) {
        this.next++
        this.takenMs = atMs
        return request
      }
    }
    if (ready.topMs <= nowMs) {
      this.takenMs = ready.topMs
      return ready.pop()
    }
    return -1
  }

  /** A request reached its end at `nowMs`: releases what waits for it. */
  ended(request: number, nowMs: number): void {
    const { workload, dependants, missing } = this
    if (dependants !== null && missing !== null) {
      for (let at = dependants.offsets[request]!; at < dependants.offsets[request + 1]!; at++) {
        const child = dependants.items[at]!
        missing[child] = missing[child]! - 1
        if (missing[child] !== 0) continue
        this.ready.push(child, nowMs + workload.delayMs[child]!)
        this.aliveSessions++
      }
    }
    const turn = workload.nextTurn[request]!
    if (turn >= 0) {
      if (missing === null || missing[turn] === 0) this.ready.push(turn, nowMs + workload.delayMs[turn]!)
    } else if (this.isClosed) {
      this.aliveSessions--
      this.startSessions(nowMs)
    }
  }

  /** When the next of `scheduled` is ready; Infinity when there is none yet. */
  private timedMs(): number {
    if (this.next >= this.released) return Number.POSITIVE_INFINITY
    return this.isClosed ? this.releasedMs[this.next]! : this.workload.arrivalMs[this.scheduled[this.next]!]!
  }

  private startSessions(nowMs: number): void {
    while (this.aliveSessions < this.concurrency && this.released < this.scheduled.length) {
      this.releasedMs[this.released++] = nowMs
      this.aliveSessions++
    }
  }
}

/** First requests of sessions that wait for nothing, in order. */
function sessionStarts(workload: Workload, missing: Int32Array | null): Int32Array {
  const first = new Int32Array(workload.count)
  let count = 0
  for (let request = 0; request < workload.count; request++) {
    if (workload.turn[request] === 0 && (missing === null || missing[request] === 0)) first[count++] = request
  }
  const starts = first.subarray(0, count)
  let inOrder = true
  for (let k = 1; k < count; k++) if (workload.session[starts[k - 1]!]! > workload.session[starts[k]!]!) inOrder = false
  return inOrder ? starts : starts.sort((a, b) => workload.session[a]! - workload.session[b]!)
}

function arrivalOrder(workload: Workload): Int32Array {
  const { arrivalMs, session, turn } = workload
  const order = new Int32Array(workload.count)
  let count = 0
  for (let request = 0; request < workload.count; request++) {
    if (!Number.isNaN(arrivalMs[request]!)) order[count++] = request
  }
  const timed = order.subarray(0, count)
  for (let k = 1; k < count; k++) {
    if (arrivalMs[timed[k - 1]!]! > arrivalMs[timed[k]!]! || session[timed[k - 1]!]! > session[timed[k]!]!) {
      return timed.sort((a, b) => arrivalMs[a]! - arrivalMs[b]! || session[a]! - session[b]! || turn[a]! - turn[b]!)
    }
  }
  return timed
}

function dependencyCounts(workload: Workload): Int32Array | null {
  const { dependencyOffsets, count } = workload
  if (dependencyOffsets === null) return null
  return Int32Array.from({ length: count }, (_, k) => dependencyOffsets[k + 1]! - dependencyOffsets[k]!)
}

function invertDependencies(workload: Workload): { offsets: Uint32Array; items: Uint32Array } {
  const { count } = workload
  const dependencies = workload.dependencies!
  const offsets = new Uint32Array(count + 1)
  for (const parent of dependencies) offsets[parent + 1] = offsets[parent + 1]! + 1
  for (let k = 0; k < count; k++) offsets[k + 1] = offsets[k + 1]! + offsets[k]!
  const items = new Uint32Array(dependencies.length)
  const at = offsets.slice()
  for (let request = 0; request < count; request++) {
    for (let k = workload.dependencyOffsets![request]!; k < workload.dependencyOffsets![request + 1]!; k++) {
      const parent = dependencies[k]!
      items[at[parent]!] = request
      at[parent] = at[parent]! + 1
    }
  }
  return { offsets, items }
}
