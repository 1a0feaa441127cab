import { IDLE_WORKERS, KV_FULL, KV_FULL_TIME, PREFILL_BUSY, QUEUE_SHARE, TRIMMED } from './bottleneck.js'
import { escapeHtml as e } from './escape-html.js'
import type { ReportData } from './report-data.js'

const percent = (share: number) => `${Math.round(share * 100)} %`

/** How figures, importance and bottlenecks come about, and what was asked. */
export function methodSection(data: ReportData): string {
  const facts = data.facts.map(([label, value]) => `<div><dt>${e(label)}</dt><dd>${e(value)}</dd></div>`).join('')
  const notices =
    data.notices.length === 0
      ? ''
      : `<h3>Left out before the start</h3><ul>${data.notices.map((notice) => `<li>${e(notice)}</li>`).join('')}</ul>`
  return `<section class="card"><h2>About this study</h2><dl class="facts">${facts}</dl>${notices}
<h3>How to read it</h3>
<ul>
<li>Shapes are replicas × split and GPUs of a worker: TP = tensor parallel, TEP = tensor-parallel attention with spread experts, DEP = data-parallel attention with spread experts, DTP = data-parallel attention with tensor-parallel experts. Prefill stands before decode.</li>
<li>TTFT is the time to the first token, TPOT the mean time of each further token, ITL the gap between two tokens. All are as the simulated client sees them.</li>
${data.kind === 'front' ? '<li>A deployment is on the front when no other is at least as good in every objective and better in one. The line bounds what the front attains.</li>' : '<li>The line in the plot is the best found so far, in the order in which trials were asked.</li>'}
</ul>
<h3 id="method-importance">What matters: how it is computed</h3>
<p>For each setting that differs between feasible trials: the variance of the objective between the setting's values as a share of all its variance, less what as many values would explain by chance (epsilon squared, Kelley 1935). A setting that only some trials have is looked at among those. Numbers with many values are cut into six groups of equal size. It looks at one setting at a time, so it misses settings that matter only together; and the search tries promising values more often than others, so it describes these trials, not the whole space.</p>
<h3 id="method-bottleneck">Bottleneck: the rule</h3>
<ol>
<li><b>KV-bound</b>: a pool's KV cache is at least ${percent(KV_FULL)} full for ${percent(KV_FULL_TIME)} of the time or more, while at least ${percent(QUEUE_SHARE)} of its requests wait.</li>
<li><b>Router-bound</b>: at least ${percent(QUEUE_SHARE)} of a pool's requests wait while under ${percent(IDLE_WORKERS)} of its workers are inside a pass.</li>
<li><b>Traffic-bound</b>: requests come at their own times and under ${percent(QUEUE_SHARE)} of them wait anywhere.</li>
<li><b>Prefill-bound</b>, disaggregated: prefill queues and does so more than decode; or a fixed number of requests is kept in flight and at least ${percent(PREFILL_BUSY)} of prefill workers are busy.</li>
<li>Otherwise <b>decode-bound</b>, or <b>prefill-bound</b> where an aggregated deployment spends more than half of its pass time on prompts.</li>
</ol>
<p>The first that holds is named. Means are over the middle ${percent(1 - 2 * TRIMMED)} of the run.</p></section>`
}
