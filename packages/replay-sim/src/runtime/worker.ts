import { SpicaError } from '@spica/schema'
import type { Engine } from '../engine/engine.js'
import { roundNumber } from './clock-rounds.js'

export type WorkerState = 'starting' | 'active' | 'draining' | 'gone'

const FIRST_PLAN = 8
const LONGEST_PLAN = 4096

function notFinite(worker: number, nowMs: number, endMs: number): SpicaError {
  return new SpicaError('input', 'perf-model-not-finite', `a pass of worker ${worker} would end at ${endMs} ms`, {
    hint: 'the performance model must return finite times of at least 0 ms',
    details: { worker, nowMs },
  })
}

/**
 * One worker: its attention-DP ranks in lockstep. A busy worker is either inside one pass (all ranks started together and
 * end with the slowest) or coasting through quiet passes planned ahead, which are performed when the plan ends or
 * something reaches the worker.
 */
export class Worker {
  readonly id: number
  /** Place in the scan for idle workers; prefill workers come before decode workers. */
  readonly order: number
  readonly engines: readonly Engine[]
  state: WorkerState
  busy = false
  /** Start and end of the pass in flight; of the last planned pass when coasting. */
  startMs = 0
  endMs = 0
  /** Which scan of its timestamp started the pass; orders simultaneous ends. */
  round = 0
  /** Round number of passes that start when the previous one ends. */
  private readonly steadyRound: number
  heapIndex = -1
  /** Its last pass did nothing and nothing has reached it since. */
  stalled = false
  /** Passes in a row that took no time and raised nothing. */
  fruitless = 0
  rankCounter = 0
  /** Requests that still own something here. */
  assigned = 0
  readyMs = 0
  /** On the runtime's list of workers that may start a pass. */
  isAwake = false
  /** Length of the last pass that ended, ms. */
  lastPassMs = 0
  lastPassEndMs: number = Number.NEGATIVE_INFINITY
  /** Told about every pass that did work, when set. */
  onPass: ((worker: Worker) => void) | null = null
  private planned = 0
  private performed = 0
  private beginRound = 0
  private planLimit = FIRST_PLAN
  private bounds: Float64Array = new Float64Array(FIRST_PLAN + 1)
  private durations: Float64Array = new Float64Array(FIRST_PLAN)
  private scratch: Float64Array = new Float64Array(0)
  private readonly inPass: boolean[]

  constructor(id: number, order: number, engines: readonly Engine[], state: WorkerState, pool: number) {
    this.steadyRound = roundNumber(0, pool, 0)
    this.id = id
    this.order = order
    this.engines = engines
    this.state = state
    this.inPass = engines.map(() => false)
  }

  get isCoasting(): boolean {
    return this.planned > 0
  }

  hasWork(): boolean {
    for (const engine of this.engines) if (engine.hasWork()) return true
    return false
  }

  /** Whether a rank took part in the last pass. */
  wasInPass(rank: number): boolean {
    return this.inPass[rank]!
  }

  /** Starts coasting when the next passes are quiet, else one pass. `spanMs` is how far ahead planning is worth it. */
  begin(nowMs: number, round: number, spanMs: number): void {
    this.busy = true
    this.round = round
    this.beginRound = round
    if (this.plan(nowMs, spanMs)) return
    let endMs = nowMs
    for (let rank = 0; rank < this.engines.length; rank++) {
      const engine = this.engines[rank]!
      this.inPass[rank] = engine.hasWork()
      if (this.inPass[rank]) endMs = Math.max(endMs, engine.startPass(nowMs))
    }
    if (!(endMs >= nowMs && endMs < Number.POSITIVE_INFINITY)) throw notFinite(this.id, nowMs, endMs)
    this.startMs = nowMs
    this.endMs = endMs
  }

  /** Ends the pass or the plan. True when it made progress. */
  end(): boolean {
    this.busy = false
    if (this.planned > 0) {
      this.finishPlan(this.planned)
      this.planLimit = Math.min(this.planLimit * 2, LONGEST_PLAN)
      return true
    }
    let progressed = false
    for (let rank = 0; rank < this.engines.length; rank++) {
      const engine = this.engines[rank]!
      if (!this.inPass[rank]) engine.settleIdle()
      else if (engine.finishPass(this.endMs)) progressed = true
    }
    if (progressed) {
      this.lastPassMs = this.endMs - this.startMs
      this.lastPassEndMs = this.endMs
      this.onPass?.(this)
    }
    return progressed
  }

  /**
   * Something reaches the worker at `nowMs`: cuts the plan after the pass in flight at that moment. A pass whose start
   * falls on `nowMs` counts as in flight when `started`. Returns true when that leaves the worker idle already.
   */
  interrupt(nowMs: number, started: boolean): boolean {
    if (this.planned === 0) return false
    this.cut(nowMs, started)
    this.planLimit = Math.max(FIRST_PLAN, 2 * this.planned)
    if (this.endMs > nowMs) return false
    this.finishPlan(this.planned)
    this.busy = false
    return true
  }

  /** Shortens the plan to the first pass that ends at `timeMs` or later (after it, when `strictly`). */
  cut(timeMs: number, strictly: boolean): void {
    let low = 1
    let high = this.planned
    while (low < high) {
      const middle = (low + high) >> 1
      const reached = strictly ? this.bounds[middle]! > timeMs : this.bounds[middle]! >= timeMs
      if (reached) high = middle
      else low = middle + 1
    }
    this.planned = low
    this.round = low > 1 ? this.steadyRound : this.beginRound
    this.startMs = this.bounds[low - 1]!
    this.endMs = this.bounds[low]!
  }

  /** End of the last planned pass that ends by `limitMs`; −∞ when there is none. */
  plannedEndBy(limitMs: number): number {
    let at = this.planned
    while (at > 0 && this.bounds[at]! > limitMs) at--
    return at > 0 ? this.bounds[at]! : Number.NEGATIVE_INFINITY
  }

  /** Performs the planned passes that have ended by `nowMs`, keeping the plan. */
  catchUp(nowMs: number): void {
    if (this.planned === 0) return
    let done = this.performed
    while (done < this.planned && this.bounds[done + 1]! <= nowMs) done++
    this.perform(done)
  }

  private finishPlan(upTo: number): void {
    this.perform(upTo)
    this.planned = 0
    this.performed = 0
    for (const engine of this.engines) engine.settleIdle()
  }

  private perform(upTo: number): void {
    if (this.onPass === null) {
      this.performTogether(upTo)
      return
    }
    while (this.performed < upTo) {
      this.performTogether(this.performed + 1)
      this.onPass(this)
    }
  }

  private performTogether(upTo: number): void {
    const count = upTo - this.performed
    if (count <= 0) return
    for (let rank = 0; rank < this.engines.length; rank++) {
      if (this.inPass[rank]) this.engines[rank]!.commitQuiet(count, this.bounds, this.performed)
    }
    this.performed = upTo
    this.lastPassEndMs = this.bounds[upTo]!
    this.lastPassMs = this.lastPassEndMs - this.bounds[upTo - 1]!
  }

  private plan(nowMs: number, spanMs: number): boolean {
    if (this.durations.length < this.planLimit) {
      this.durations = new Float64Array(this.planLimit)
      this.bounds = new Float64Array(this.planLimit + 1)
      if (this.engines.length > 1) this.scratch = new Float64Array(this.planLimit)
    }
    const count = this.engines.length === 1 ? this.planAlone(spanMs) : this.planTogether(spanMs)
    if (count === 0) return false
    const { bounds, durations } = this
    let at = nowMs
    bounds[0] = at
    for (let k = 0; k < count; k++) {
      at += durations[k]!
      bounds[k + 1] = at
    }
    for (let rank = 0; rank < this.engines.length; rank++) this.inPass[rank] = this.engines[rank]!.hasWork()
    this.planned = count
    this.performed = 0
    this.startMs = bounds[count - 1]!
    this.endMs = at
    if (count > 1) this.round = this.steadyRound
    return true
  }

  private planAlone(spanMs: number): number {
    return this.engines[0]!.planQuiet(this.durations, this.planLimit, spanMs)
  }

  private planTogether(spanMs: number): number {
    let count = this.planLimit
    let isFirst = true
    for (const engine of this.engines) {
      if (!engine.hasWork()) {
        if (engine.reservationIsDue) return 0
        continue
      }
      if (this.scratch.length < this.planLimit) this.scratch = new Float64Array(this.planLimit)
      const target = isFirst ? this.durations : this.scratch
      count = Math.min(count, engine.planQuiet(target, count, spanMs))
      if (count === 0) return 0
      if (!isFirst) {
        for (let k = 0; k < count; k++) {
          if (this.scratch[k]! > this.durations[k]!) this.durations[k] = this.scratch[k]!
        }
      }
      isFirst = false
    }
    return isFirst ? 0 : count
  }
}
