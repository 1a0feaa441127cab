import type { ReplayReport } from '@spica/schema'
import { addDistribution, addWeightedDistribution, type ReportDraft } from './distribution.js'
import { addGoodput } from './goodput.js'
import { type Recorder, STATUS_COMPLETED } from './recorder.js'
import type { SlaThresholds } from './sla.js'
import { sortGaps } from './sorted-gaps.js'

export interface ReportOptions {
  /** Thresholds of goodput; without any, the goodput keys are absent. */
  readonly sla?: SlaThresholds | undefined
  /** Host time of the simulation, ms. */
  readonly wallTimeMs: number
}

/**
 * The aggregate report of a run, upstream's key names. Totals, latencies and throughputs cover completed requests;
 * `duration_ms` is the latest completion from the start of the run; empty distributions are zeros.
 */
export function buildReport(recorder: Recorder, options: ReportOptions): ReplayReport {
  const report: ReportDraft = {}
  const totals = addTotals(report, recorder)
  const seconds = totals.durationMs / 1000
  const perSecond = (amount: number): number => (seconds > 0 ? amount / seconds : 0)
  const tokens = totals.inputTokens + totals.outputTokens
  report['request_throughput_rps'] = perSecond(totals.completed)
  report['input_throughput_tok_s'] = perSecond(totals.inputTokens)
  report['output_throughput_tok_s'] = perSecond(totals.outputTokens)
  report['total_throughput_tok_s'] = perSecond(tokens)
  const wallSeconds = options.wallTimeMs / 1000
  report['wall_time_ms'] = options.wallTimeMs
  report['processed_tokens'] = tokens
  report['processed_tokens_per_s'] = wallSeconds > 0 ? tokens / wallSeconds : 0
  report['processed_output_tokens_per_s'] = wallSeconds > 0 ? totals.outputTokens / wallSeconds : 0
  addLatencies(report, recorder, totals.completed)
  addPools(report, recorder)
  if (options.sla !== undefined) addGoodput(report, recorder, options.sla, perSecond)
  return report as ReplayReport & ReportDraft
}

interface Totals {
  readonly completed: number
  readonly durationMs: number
  readonly inputTokens: number
  readonly outputTokens: number
}

function addTotals(report: ReportDraft, recorder: Recorder): Totals {
  const { workload } = recorder
  let completed = 0
  let durationMs = 0
  let inputTokens = 0
  let outputTokens = 0
  let reused = 0
  let firstReused = 0
  for (let request = 0; request < workload.count; request++) {
    if (recorder.status[request] !== STATUS_COMPLETED) continue
    completed++
    if (recorder.terminalMs[request]! > durationMs) durationMs = recorder.terminalMs[request]!
    inputTokens += workload.inputTokens[request]!
    outputTokens += recorder.producedTokens[request]!
    reused += recorder.reusedTokens[request]!
    firstReused += recorder.firstReusedTokens[request]!
  }
  report['num_requests'] = recorder.arrivedCount
  report['completed_requests'] = completed
  report['duration_ms'] = durationMs
  report['total_input_tokens'] = inputTokens
  report['total_output_tokens'] = outputTokens
  report['prefix_cache_reused_ratio'] = inputTokens > 0 ? reused / inputTokens : 0
  report['first_admission_prefix_cache_reused_ratio'] = inputTokens > 0 ? firstReused / inputTokens : 0
  return { completed, durationMs, inputTokens, outputTokens }
}

function addLatencies(report: ReportDraft, recorder: Recorder, completed: number): void {
  const { status, arrivalMs, firstTokenMs, secondTokenMs, lastTokenMs, producedTokens } = recorder
  const ttft = new Float64Array(completed)
  const e2e = new Float64Array(completed)
  const ttst = new Float64Array(completed)
  const tpot = new Float64Array(completed)
  let withToken = 0
  let withTwo = 0
  for (let request = 0; request < status.length; request++) {
    const produced = producedTokens[request]!
    if (status[request] !== STATUS_COMPLETED || produced === 0) continue
    const first = firstTokenMs[request]!
    const last = lastTokenMs[request]!
    ttft[withToken] = first - arrivalMs[request]!
    e2e[withToken] = last - arrivalMs[request]!
    withToken++
    if (produced < 2) continue
    ttst[withTwo] = secondTokenMs[request]! - first
    tpot[withTwo] = (last - first) / (produced - 1)
    withTwo++
  }
  addDistribution(report, 'ttft_ms', ttft.subarray(0, withToken))
  addDistribution(report, 'ttst_ms', ttst.subarray(0, withTwo))
  addDistribution(report, 'tpot_ms', tpot.subarray(0, withTwo))
  addDistribution(report, 'e2e_latency_ms', e2e.subarray(0, withToken))
  const gaps = sortGaps(recorder.gaps)
  addWeightedDistribution(report, 'itl_ms', gaps, 0, (gapMs) => gapMs, false)
  const firstPositive = gaps.count > 0 && gaps.gapMs[0] === 0 ? 1 : 0
  const perUser = 'output_token_throughput_per_user'
  addWeightedDistribution(report, perUser, gaps, firstPositive, (gapMs) => 1000 / gapMs, true)
}

function addPools(report: ReportDraft, recorder: Recorder): void {
  const { prefill, decode } = recorder
  report['prefill_worker_seconds'] = prefill.workerSeconds
  report['decode_worker_seconds'] = decode.workerSeconds
  report['prefill_gpus_per_worker'] = prefill.gpusPerWorker
  report['decode_gpus_per_worker'] = decode.gpusPerWorker
  const gpuSeconds = prefill.workerSeconds * prefill.gpusPerWorker + decode.workerSeconds * decode.gpusPerWorker
  report['gpu_hours'] = gpuSeconds / 3600
}
