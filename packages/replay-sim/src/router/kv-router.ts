import type { LowerOverlap } from '../engine/engine.js'
import type { PromptBlocks } from '../engine/prompt-blocks.js'
import { StdRng } from '../random/std-rng.js'
import { RoutedPrefixes } from './routed-prefixes.js'
import type { Router, Send } from './router.js'
import type { RouterConfig } from './router-config.js'
import { RouterQueue } from './router-queue.js'
import { TargetLoad } from './target-load.js'

/** A rank the router can ask for its prefix overlap, in blocks. */
export interface KvTarget {
  overlapBlocks(request: number): number
  /** Blocks in its lower KV tiers that follow the first `onDevice` ones. */
  lowerOverlap?(request: number, onDevice: number): LowerOverlap | null
}

export interface KvRouterOptions<Target> {
  readonly config: RouterConfig
  readonly blocks: PromptBlocks
  readonly inputTokens: Int32Array
  /** Router priority and strict priority of each request; null = all 0. */
  readonly priority: Float64Array | null
  readonly strictPriority: Float64Array | null
  /** Token budget of a pass, what the queue threshold is a share of. */
  readonly maxBatchedTokens: number
  readonly seed: number
  readonly send: Send<Target>
  /** Told the share of each sent request's prompt blocks that its target was believed to hold. */
  readonly onHitRate?: (overlapShare: number) => void
}

interface Booking<Target> {
  readonly target: Target
  readonly load: TargetLoad
  readonly full: number
  prefillTokens: number
}

/** Sends each request where prefill work left to do plus active blocks is least; ties and temperature draw from a seeded generator. */
export class KvRouter<Target extends KvTarget> implements Router<Target> {
  private targets: readonly Target[] = []
  private loads: TargetLoad[] = []
  private readonly loadOf = new Map<Target, TargetLoad>()
  private readonly bookings = new Map<number, Booking<Target>>()
  private readonly queue: RouterQueue
  private readonly rng: StdRng
  private readonly options: KvRouterOptions<Target>
  private readonly frozenOverlaps = new Map<number, ReadonlyMap<Target, number>>()
  private readonly frozenLowerCredits = new Map<number, ReadonlyMap<Target, number>>()
  /** Stands in for KV events when they are off. */
  private readonly routed: RoutedPrefixes<Target> | null
  /** Requests that arrived while there was no target. */
  private held: number[] = []
  private costs: Float64Array = new Float64Array(0)
  private overlaps: Int32Array = new Int32Array(0)
  /** Blocks each target holds in lower tiers beyond its overlap, times the tiers' weights. */
  private lowerCredits: Float64Array = new Float64Array(0)

  constructor(options: KvRouterOptions<Target>) {
    this.options = options
    this.queue = new RouterQueue(options.config.queuePolicy)
    this.rng = new StdRng(options.seed)
    this.routed = options.config.useKvEvents ? null : new RoutedPrefixes(options.blocks, options.inputTokens)
  }

  get queuedCount(): number {
    return this.queue.count + this.held.length
  }

  setTargets(targets: readonly Target[]): void {
    this.targets = targets
    this.loads = targets.map((target) => {
      let load = this.loadOf.get(target)
      if (load === undefined) {
        load = new TargetLoad(this.options.blocks, this.options.config.assumeReuse)
        this.loadOf.set(target, load)
      }
      return load
    })
    this.costs = new Float64Array(targets.length)
    this.overlaps = new Int32Array(targets.length)
    this.lowerCredits = new Float64Array(targets.length)
  }

  arrive(request: number, nowMs: number): void {
    if (this.targets.length === 0) {
      this.held.push(request)
      return
    }
    const { targets, overlaps, options } = this
    for (let k = 0; k < targets.length; k++) {
      const target = targets[k]!
      overlaps[k] = this.routed?.overlapBlocks(request, target, nowMs) ?? target.overlapBlocks(request)
      const lower = target.lowerOverlap?.(request, overlaps[k]!) ?? null
      const { hostCacheHitWeight, diskCacheHitWeight } = options.config
      this.lowerCredits[k] = lower === null ? 0 : hostCacheHitWeight * lower.host + diskCacheHitWeight * lower.disk
    }
    const { queueThreshold } = options.config
    if (queueThreshold === null || (this.queue.count === 0 && !this.allBusy(queueThreshold))) {
      this.dispatch(request, nowMs)
      return
    }
    let best = 0
    const frozen = new Map<Target, number>()
    const frozenLower = new Map<Target, number>()
    for (let k = 0; k < targets.length; k++) {
      frozen.set(targets[k]!, overlaps[k]!)
      frozenLower.set(targets[k]!, this.lowerCredits[k]!)
      best = Math.max(best, overlaps[k]!)
    }
    this.frozenOverlaps.set(request, frozen)
    this.frozenLowerCredits.set(request, frozenLower)
    const missing = Math.max(1, options.inputTokens[request]! - best * options.blocks.blockSize)
    const jump = Math.max(0, options.priority?.[request] ?? 0)
    this.queue.push(request, options.strictPriority?.[request] ?? 0, jump, missing, nowMs)
  }

  firstToken(request: number, nowMs: number): void {
    const booking = this.bookings.get(request)
    if (booking === undefined) return
    booking.load.prefillTokens -= booking.prefillTokens
    booking.prefillTokens = 0
    this.drain(nowMs)
  }

  ended(request: number, nowMs: number): void {
    const booking = this.bookings.get(request)
    if (booking === undefined) return
    this.bookings.delete(request)
    const { load } = booking
    load.prefillTokens -= booking.prefillTokens
    load.requests--
    if (this.options.config.trackActiveBlocks) load.removeBlocks(request, booking.full)
    this.drain(nowMs)
  }

  /** Sends queued requests while some target has room (call after the set of targets changed, too). */
  drain(nowMs: number): void {
    if (this.held.length > 0 && this.targets.length > 0) {
      const { held } = this
      this.held = []
      for (const request of held) this.arrive(request, nowMs)
    }
    const { queueThreshold } = this.options.config
    if (queueThreshold === null) return
    while (this.queue.count > 0 && !this.allBusy(queueThreshold)) {
      const request = this.queue.pop()
      const frozen = this.frozenOverlaps.get(request)!
      const frozenLower = this.frozenLowerCredits.get(request)!
      this.frozenOverlaps.delete(request)
      this.frozenLowerCredits.delete(request)
      for (let k = 0; k < this.targets.length; k++) {
        this.overlaps[k] = frozen.get(this.targets[k]!) ?? 0
        this.lowerCredits[k] = frozenLower.get(this.targets[k]!) ?? 0
      }
      this.dispatch(request, nowMs)
    }
  }

  private allBusy(threshold: number): boolean {
    const limit = threshold * this.options.maxBatchedTokens
    for (const load of this.loads) if (load.prefillTokens <= limit) return false
    return true
  }

  private dispatch(request: number, nowMs: number): void {
    const { options } = this
    const index = this.choose(request)
    const target = this.targets[index]!
    const load = this.loads[index]!
    const isl = options.inputTokens[request]!
    const { blockSize } = options.blocks
    const overlapTokens = this.overlaps[index]! * blockSize
    const full = Math.floor(isl / blockSize)
    const prefillTokens = options.config.trackPrefillTokens ? Math.max(0, isl - overlapTokens) : 0
    load.prefillTokens += prefillTokens
    load.requests++
    if (options.config.trackActiveBlocks) load.addBlocks(request, full)
    this.bookings.set(request, { target, load, full, prefillTokens })
    if (full > 0) options.onHitRate?.(this.overlaps[index]! / full)
    this.routed?.sent(request, target, nowMs)
    options.send(request, target, overlapTokens, nowMs)
  }

  private choose(request: number): number {
    const { costs, loads, overlaps, options } = this
    const { config, blocks } = options
    const isl = options.inputTokens[request]!
    const bs = blocks.blockSize
    const full = Math.floor(isl / bs)
    let least = Number.POSITIVE_INFINITY
    for (const load of loads) least = Math.min(least, load.prefillTokens)
    for (let k = 0; k < loads.length; k++) {
      const load = loads[k]!
      const raw = (load.prefillTokens + isl) / bs
      const decay = config.overlapScoreCreditDecay
      const factor = decay > 0 ? 1 / (1 + (decay * ((load.prefillTokens - least) / bs)) / Math.ceil(isl / bs)) : 1
      const reusable = overlaps[k]! + this.lowerCredits[k]!
      const credit = config.overlapScoreCredit * factor * reusable
      const additional = config.trackActiveBlocks ? load.additionalBlocks(request, full) : full
      costs[k] =
        config.prefillLoadScale * Math.max(0, raw - credit) +
        (load.activeBlocks + additional) +
        config.decodeActiveRequestWeight * load.requests
    }
    return config.temperature > 0 ? this.drawSoftly(config.temperature) : this.cheapest()
  }

  private cheapest(): number {
    const { costs } = this
    let best = Number.POSITIVE_INFINITY
    let ties = 0
    let choice = 0
    for (let k = 0; k < costs.length; k++) {
      if (costs[k]! < best) {
        best = costs[k]!
        ties = 1
        choice = k
      } else if (costs[k] === best) ties++
    }
    if (ties === 1) return choice
    let skip = this.rng.below(ties)
    for (let k = choice; ; k++) if (costs[k] === best && skip-- === 0) return k
  }

  private drawSoftly(temperature: number): number {
    const { costs } = this
    let low = Number.POSITIVE_INFINITY
    let high = Number.NEGATIVE_INFINITY
    for (const cost of costs) {
      low = Math.min(low, cost)
      high = Math.max(high, cost)
    }
    const weights = Array.from(costs, (cost) =>
      high === low ? 1 : Math.exp((low - cost) / ((high - low) * temperature)),
    )
    let left = this.rng.float64() * weights.reduce((sum, weight) => sum + weight, 0)
    for (let k = 0; k < weights.length - 1; k++) {
      left -= weights[k]!
      if (left < 0) return k
    }
    return weights.length - 1
  }
}
