import type { ReportDraft } from './distribution.js'
import { type Recorder, STATUS_COMPLETED } from './recorder.js'
import type { SlaThresholds } from './sla.js'

/**
 * Adds the goodput keys: completed requests that meet every given threshold. The ITL of a request is
 * (e2e − ttft)/(tokens − 1) and does not apply to fewer than two tokens; a request without tokens counts only when e2e is
 * the sole threshold. No keys when no threshold is given.
 */
export function addGoodput(
  report: ReportDraft,
  recorder: Recorder,
  sla: SlaThresholds,
  perSecond: (amount: number) => number,
): void {
  const { ttftMs, itlMs, e2eMs } = sla
  if (ttftMs === undefined && itlMs === undefined && e2eMs === undefined) return
  const onlyE2e = ttftMs === undefined && itlMs === undefined
  let requests = 0
  let tokens = 0
  for (let request = 0; request < recorder.status.length; request++) {
    if (recorder.status[request] !== STATUS_COMPLETED) continue
    const produced = recorder.producedTokens[request]!
    const arrival = recorder.arrivalMs[request]!
    const e2e = (produced === 0 ? recorder.terminalMs[request]! : recorder.lastTokenMs[request]!) - arrival
    if (e2eMs !== undefined && e2e > e2eMs) continue
    if (produced === 0 && !onlyE2e) continue
    const ttft = recorder.firstTokenMs[request]! - arrival
    if (ttftMs !== undefined && ttft > ttftMs) continue
    if (itlMs !== undefined && produced > 1 && (e2e - ttft) / (produced - 1) > itlMs) continue
    requests++
    tokens += produced
  }
  report['goodput_completed_requests'] = requests
  report['goodput_request_throughput_rps'] = perSecond(requests)
  report['goodput_output_throughput_tok_s'] = perSecond(tokens)
}
