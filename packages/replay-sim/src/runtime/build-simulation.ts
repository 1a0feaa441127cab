import { type EngineArgs, type PerfModel, SpicaError } from '@spica/schema'
import { type Quirks, quirksOf } from '../compat.js'
import { coalescingOptions } from '../engine/coalescing/coalescing-options.js'
import { createEngine } from '../engine/create-engine.js'
import type { EngineContext, EngineObserver } from '../engine/engine.js'
import type { ResolvedEngine } from '../engine/engine-settings.js'
import { occupancyTiming } from '../engine/occupancy-timing.js'
import { blockBytes } from '../engine/offload/check-offload.js'
import { DiskTier } from '../engine/offload/disk-tier.js'
import { internPromptBlocks, type PromptBlocks } from '../engine/prompt-blocks.js'
import { resolveEngine } from '../engine/resolve-engine.js'
import type { ReplayOptions } from '../replay-options.js'
import { newRecorder, type PoolUsage, type Recorder } from '../report/recorder.js'
import { KvRouter } from '../router/kv-router.js'
import { RoundRobinRouter } from '../router/round-robin.js'
import type { Send } from '../router/router.js'
import { defaultRouterConfig, type RouterConfig } from '../router/router-config.js'
import { AggregatedFlow } from './aggregated-flow.js'
import { Arrivals } from './arrivals.js'
import { HandoffFlow, type TransferLink } from './handoff-flow.js'
import { PlannerHook } from './planner-hook.js'
import { Pool } from './pool.js'
import type { Rank } from './rank.js'
import { Simulation } from './simulation.js'
import { Timeline } from './timeline.js'
import { TrafficMeter } from './traffic-meter.js'

/** GB/s assumed for KV transfers when only `kv_bytes_per_token` is given. */
const DEFAULT_TRANSFER_BANDWIDTH = 64

/** Everything `replay` needs to run and to read the result. */
export interface BuiltSimulation {
  readonly simulation: Simulation
  readonly recorder: Recorder
  readonly timeline: Timeline
  readonly planner: PlannerHook | null
  /** One aggregated rank without a router's queue or a planner. */
  readonly isSingle: boolean
}

interface Shared {
  readonly options: ReplayOptions
  readonly quirks: Quirks
  readonly recorder: Recorder
  readonly blocks: PromptBlocks
  readonly traffic: TrafficMeter
}

export function buildSimulation(options: ReplayOptions): BuiltSimulation {
  return options.engine === undefined ? buildDisaggregated(options) : buildAggregated(options, options.engine)
}

function buildAggregated(options: ReplayOptions, args: EngineArgs): BuiltSimulation {
  const { workload } = options
  const settings = resolveEngine(args, 'aggregated')
  const workers = options.workers ?? 1
  const usesKv = usesKvRouter(options, workers * settings.ranks)
  const isSingle = workers * settings.ranks === 1 && !usesKv && options.planner === undefined
  const recorder = newRecorder(workload, false, !isSingle)
  const shared = share(options, recorder, settings.blockSize)
  const observer: EngineObserver = {
    admitted: (request, nowMs, reused) => {
      if (Number.isNaN(recorder.firstAdmitMs[request]!)) {
        recorder.firstAdmitMs[request] = nowMs
        recorder.firstReusedTokens[request] = reused
      }
      if (reused > recorder.reusedTokens[request]!) {
        recorder.reusedTokens[request] = reused
        recorder.prefillReusedTokens[request] = reused
      }
    },
  }
  const perf = options.perfModel ?? occupancyTiming
  const pool = newPool(shared, settings, perf, workload.outputTokens, observer, true, 0, recorder.decode)
  const planner = options.planner === undefined ? null : new PlannerHook(options.planner, null, pool, shared.traffic)
  const timeline = new Timeline([{ name: 'decode', pool }])
  const simulation = new Simulation({
    recorder,
    arrivals: new Arrivals(workload, options.load),
    pools: [pool],
    planner,
    timeline,
    maxSimTimeMs: options.maxSimTimeMs ?? Number.POSITIVE_INFINITY,
    isSingle,
    stampsAtPassEnd: isSingle && shared.quirks.closedLoopArrivalAtPassEnd && options.load.kind === 'closed',
  })
  const flow = new AggregatedFlow(simulation, pool, recorder.target)
  simulation.flow = flow
  const send: Send<Rank> = (request, rank) => flow.send(request, rank)
  pool.router = usesKv ? newKvRouter(shared, settings, routerConfigOf(options), 0, send) : new RoundRobinRouter(send)
  populate(pool, workers, planner)
  return { simulation, recorder, timeline, planner, isSingle }
}

function buildDisaggregated(options: ReplayOptions): BuiltSimulation {
  if (options.prefill === undefined || options.decode === undefined) {
    throw new SpicaError('input', 'no-engine', 'give either engine, or both prefill and decode')
  }
  const { workload } = options
  const source = resolveEngine(options.prefill, 'prefill')
  const target = resolveEngine(options.decode, 'decode')
  checkPair(source, target)
  const recorder = newRecorder(workload, true)
  const shared = share(options, recorder, source.blockSize)
  const { quirks } = shared
  const pools: Pool[] = []
  let flow!: HandoffFlow
  const observers = {
    prefill: { admitted: (r: number, t: number, n: number) => flow.observers.prefill.admitted(r, t, n) },
    decode: { admitted: (r: number, t: number, n: number) => flow.observers.decode.admitted(r, t, n) },
  }
  const hidden = prefillOutputs(workload.outputTokens, quirks.prefillGeneratesAll && workload.origin === 'trace')
  const prefillPerf = options.prefillPerfModel ?? options.perfModel ?? occupancyTiming
  const decodePerf = options.decodePerfModel ?? options.perfModel ?? occupancyTiming
  const prefill = newPool(shared, source, prefillPerf, hidden, observers.prefill, false, 0, recorder.prefill)
  const decode = newPool(shared, target, decodePerf, workload.outputTokens, observers.decode, true, 1, recorder.decode)
  pools.push(prefill, decode)
  const planner =
    options.planner === undefined ? null : new PlannerHook(options.planner, prefill, decode, shared.traffic)
  const timeline = new Timeline([
    { name: 'prefill', pool: prefill },
    { name: 'decode', pool: decode },
  ])
  const simulation = new Simulation({
    recorder,
    arrivals: new Arrivals(workload, options.load),
    pools,
    planner,
    timeline,
    maxSimTimeMs: options.maxSimTimeMs ?? Number.POSITIVE_INFINITY,
    isSingle: false,
    stampsAtPassEnd: false,
  })
  flow = new HandoffFlow(simulation, {
    prefill,
    decode,
    destinationFirst: source.type === 'sglang',
    link: transferLink(source, quirks),
    onlyMissing: source.transferTiming === 'destination_missing',
    recorder,
  })
  simulation.flow = flow
  const sendPrefill: Send<Rank> = (request, rank, overlap) => flow.sendPrefill(request, rank, overlap)
  const sendDecode: Send<Rank> = (request, rank, _overlap, nowMs) => flow.sendDecode(request, rank, nowMs)
  const prefillWorkers = options.prefillWorkers ?? 1
  const decodeWorkers = options.decodeWorkers ?? 1
  const config = routerConfigOf(options)
  prefill.router = usesKvRouter(options, prefillWorkers * source.ranks)
    ? newKvRouter(shared, source, { ...config, trackActiveBlocks: false }, 0, sendPrefill)
    : new RoundRobinRouter(sendPrefill)
  const decodeConfig = { ...config, overlapScoreCredit: 0, assumeReuse: false, trackPrefillTokens: false }
  decode.router = usesKvRouter(options, decodeWorkers * target.ranks)
    ? newKvRouter(shared, target, decodeConfig, 1, sendDecode)
    : new RoundRobinRouter(sendDecode)
  populate(prefill, prefillWorkers, planner)
  populate(decode, decodeWorkers, planner)
  return { simulation, recorder, timeline, planner, isSingle: false }
}

function share(options: ReplayOptions, recorder: Recorder, blockSize: number): Shared {
  let blocks: PromptBlocks | undefined
  return {
    options,
    recorder,
    quirks: quirksOf(options.compat),
    get blocks(): PromptBlocks {
      blocks ??= internPromptBlocks(options.workload, blockSize)
      return blocks
    },
    traffic: new TrafficMeter(recorder),
  }
}

function newPool(
  shared: Shared,
  settings: ResolvedEngine,
  perf: PerfModel,
  outputTokens: Int32Array,
  observer: EngineObserver,
  isVisible: boolean,
  index: number,
  usage: PoolUsage,
): Pool {
  const { hostBlocks, diskBlocks } = settings.offload
  const hasDisk = hostBlocks > 0 && diskBlocks > 0 && !shared.quirks.offloadIgnored
  const disk = hasDisk ? new DiskTier(settings, blockBytes(settings)) : null
  const context = (rankIndex: number): EngineContext => ({
    settings,
    perf,
    workload: shared.options.workload,
    outputTokens,
    get blocks(): PromptBlocks {
      return shared.blocks
    },
    disk,
    tokens: isVisible ? shared.recorder : null,
    observer,
    quirks: shared.quirks,
    rankIndex,
    wantsMetrics: shared.options.planner !== undefined,
  })
  const { options } = shared
  const kind = options.engineKind
  const hasTimeCap = options.maxSimTimeMs !== undefined
  const coalescing =
    kind === 'pass-by-pass' || settings.type === 'sglang'
      ? null
      : coalescingOptions({
          settings,
          workload: options.workload,
          outputTokens,
          blocks: shared.blocks,
          overlapIsWatched: options.routerMode === 'kv_router',
          hasTimeCap,
          hasOffload: settings.offload.hostBlocks > 0 && !shared.quirks.offloadIgnored,
        })
  const remembersGaps = coalescing?.tracksUnfinished === true
  if (isVisible) shared.recorder.gaps.isUnordered = !remembersGaps
  return new Pool({
    settings,
    index,
    usage,
    newEngine: (rankIndex) => createEngine(context(rankIndex), kind, coalescing),
  })
}

function populate(pool: Pool, workers: number, planner: PlannerHook | null): void {
  for (let k = 0; k < workers; k++) {
    const worker = pool.add(0, 0)
    planner?.watch(worker)
  }
  pool.refreshTargets()
}

function usesKvRouter(options: ReplayOptions, targets: number): boolean {
  return options.routerMode === 'kv_router' && (targets > 1 || options.planner !== undefined)
}

function routerConfigOf(options: ReplayOptions): RouterConfig {
  return options.routerConfig ?? defaultRouterConfig
}

function newKvRouter(
  shared: Shared,
  settings: ResolvedEngine,
  config: RouterConfig,
  stream: number,
  send: Send<Rank>,
): KvRouter<Rank> {
  const { workload, seed = 0 } = shared.options
  return new KvRouter<Rank>({
    config: shared.quirks.kvEventsAlwaysUsed ? { ...config, useKvEvents: true } : config,
    blocks: shared.blocks,
    inputTokens: workload.inputTokens,
    priority: workload.priority,
    strictPriority: workload.strictPriority,
    maxBatchedTokens: Number.isFinite(settings.maxBatchedTokens) ? settings.maxBatchedTokens : 8192,
    seed: seed + stream * 0x9e3779b1,
    send,
    onHitRate: (overlapShare) => shared.traffic.routed(overlapShare),
  })
}

/** What prefill workers generate: one hidden token, or under upstream's quirk the whole planned output. */
function prefillOutputs(outputTokens: Int32Array, generatesAll: boolean): Int32Array {
  return generatesAll ? outputTokens : outputTokens.map((tokens) => Math.min(tokens, 1))
}

function transferLink(source: ResolvedEngine, quirks: Quirks): TransferLink | null {
  if (source.kvBytesPerToken === null) return null
  const fallback = quirks.transferWithoutBandwidthIsFree ? null : DEFAULT_TRANSFER_BANDWIDTH
  const bandwidth = source.transferBandwidth ?? fallback
  return bandwidth === null ? null : { kvBytesPerToken: source.kvBytesPerToken, bandwidth }
}

function checkPair(source: ResolvedEngine, target: ResolvedEngine): void {
  if (source.type !== target.type) {
    throw new SpicaError('input', 'engine-mismatch', `prefill is ${source.type} but decode is ${target.type}`, {
      hint: 'both pools must run the same engine',
    })
  }
  if (source.blockSize !== target.blockSize) {
    throw new SpicaError(
      'input',
      'block-size-mismatch',
      `prefill has block size ${source.blockSize} but decode has ${target.blockSize}`,
      { hint: 'both pools must use the same block_size' },
    )
  }
}
