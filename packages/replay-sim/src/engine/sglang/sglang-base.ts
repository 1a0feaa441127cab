import type { EngineContext, PassMetrics } from '../engine.js'
import { emptyMetrics } from '../pass-metrics.js'
import { SignalList } from '../signal-list.js'
import { PublishedPrefixes } from './published-prefixes.js'
import { RadixTree } from './radix-tree.js'
import { SequenceCache } from './sequence-cache.js'
import { type SglangLimits, sglangLimits } from './sglang-limits.js'
import { TokenContent } from './token-content.js'

/** What both SGLang engines have in common: the tree, the counters and what the outside sees. */
export class SglangBase {
  readonly context: EngineContext
  readonly limits: SglangLimits
  readonly content: TokenContent
  readonly tree: RadixTree
  readonly cache: SequenceCache
  readonly signals: SignalList = new SignalList()
  /** Of the last finished pass. */
  readonly metrics: PassMetrics = emptyMetrics()
  /** Of the pass in flight; become visible when it ends. */
  readonly passMetrics: PassMetrics = emptyMetrics()
  passForwards: number = 0
  passTokens: number = 0
  decodeForwards: number = 0
  decodeTokens: number = 0
  /** Requests refused by the pass in flight. */
  readonly rejected: number[] = []
  /** Whether the pass in flight admitted anything. */
  progressed: boolean = false
  /** Share of the running sequences' future tokens that admission keeps free. */
  ratio: number
  /** Grows whenever capacity may have been freed. */
  capacityGeneration: number = 0
  protected readonly published: PublishedPrefixes

  constructor(context: EngineContext) {
    const { settings, workload } = context
    this.context = context
    this.limits = sglangLimits(context)
    this.content = new TokenContent(workload)
    this.tree = new RadixTree(settings.blocks, settings.blockSize, this.content)
    this.published = new PublishedPrefixes(this.tree, this.content)
    this.cache = new SequenceCache(this.tree, this.limits.caching)
    this.ratio = this.limits.initialRatio
  }

  get activeBlocks(): number {
    return this.limits.totalPages - this.tree.free - this.tree.evictable
  }

  overlapBlocks(request: number): number {
    if (!this.limits.caching) return 0
    return this.published.overlapPages(request, Math.floor(this.promptTokens(request) / this.limits.pageSize))
  }

  promptTokens(request: number): number {
    return this.context.workload.inputTokens[request]!
  }

  /** Tokens a request may generate here. */
  outputLimit(request: number): number {
    const room = Math.max(0, this.limits.maxModelTokens - this.promptTokens(request))
    return Math.min(this.context.outputTokens[request]!, room)
  }

  /** Makes the counters of the pass that ended visible. */
  protected publishPass(progressed: boolean): void {
    if (progressed && this.context.wantsMetrics) Object.assign(this.metrics, this.passMetrics)
    this.decodeForwards += this.passForwards
    this.decodeTokens += this.passTokens
    this.passForwards = 0
    this.passTokens = 0
  }
}
