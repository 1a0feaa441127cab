import { goalObjectives, type SpicaConfig, type WorkloadConfig } from '@spica/schema'
import { counts } from '../output/progress.js'
import type { StudyFile } from '../study/study-file.js'
import type { Tally } from '../study/tally.js'

/** Label and value of what was asked and how it was searched. */
export function studyFactRows(study: StudyFile, tally: Tally): [label: string, value: string][] {
  const { config } = study
  const space = config.search_space
  const rows: [string, string | null][] = [
    ['Model', space.model_name],
    ['GPU', `${space.hardware_sku}, budget ${space.gpu_budget}`],
    ['Goal', goalText(config)],
    ['Traffic', trafficText(config.workload)],
    ['Searched', branchesText(study['branches'])],
    ['Trials', `${tally.asked} asked, ${counts(tally)}`],
    ['Optimiser', `${config.sweep.optimizer}, ${config.sweep.max_rounds} rounds, seed ${study.seed}`],
    ['Engine versions', versionsText(study['perf'])],
    ['Quirks restored', study.compat.length === 0 ? null : study.compat.join(', ')],
    ['State', stateText(study)],
  ]
  return rows.filter((row): row is [string, string] => row[1] !== null)
}

/** What is optimised, with its bounds. */
export function goalText({ goal }: Pick<SpicaConfig, 'goal'>): string {
  const names = goalObjectives(goal).join(' and ')
  const bounds = Object.entries(goal.sla ?? {}).flatMap(([key, value]) =>
    typeof value === 'number' ? [`${key.replace('_ms', '').toUpperCase()} ≤ ${value} ms`] : [],
  )
  const head = goal.target === 'pareto' ? `Pareto front of ${names}` : `best ${names}`
  return bounds.length === 0 ? head : `${head}, with ${bounds.join(', ')}`
}

/** The traffic in one line. */
export function trafficText(workload: WorkloadConfig): string {
  if (workload.trace_path !== null) {
    const name = workload.trace_path.split(/[\\/]/).at(-1)
    const speed = workload.arrival_speedup_ratio === 1 ? '' : `, ${workload.arrival_speedup_ratio}× faster`
    const load = workload.replay_concurrency === null ? 'at its own times' : `${workload.replay_concurrency} in flight`
    return `trace ${name} (${workload.trace_format}), ${load}${speed}`
  }
  const load =
    workload.request_rate !== null
      ? `${workload.request_rate} requests/s`
      : workload.concurrency !== null
        ? `${workload.concurrency} in flight`
        : `load ${Array.isArray(workload.kv_load_ratio) ? workload.kv_load_ratio.join('–') : workload.kv_load_ratio} of the KV capacity`
  const shared =
    workload.shared_prefix_ratio > 0 ? `, ${Math.round(workload.shared_prefix_ratio * 100)} % shared prefix` : ''
  return `synthetic, ${workload.isl} tokens in, ${workload.osl} out, ${load}${shared}`
}

/** True when a fixed number of requests is kept in flight. */
export function isClosedLoop(workload: WorkloadConfig): boolean {
  return workload.trace_path !== null ? workload.replay_concurrency !== null : workload.request_rate === null
}

function branchesText(branches: unknown): string | null {
  if (!Array.isArray(branches) || branches.length === 0) return null
  return (branches as Record<string, unknown>[])
    .map((branch) => {
      const backends = Array.isArray(branch['backends']) ? branch['backends'].join(', ') : 'unknown backends'
      return `${String(branch['deployment_mode'])}: ${String(branch['configurations'])} configurations on ${backends}`
    })
    .join('; ')
}

function versionsText(perf: unknown): string | null {
  const versions = (perf as Record<string, unknown> | undefined)?.['backend_versions']
  const entries = Object.entries((versions ?? {}) as Record<string, unknown>)
  return entries.length === 0 ? null : entries.map(([backend, version]) => `${backend} ${String(version)}`).join(', ')
}

function stateText(study: StudyFile): string {
  const limits = study.limits_fired ? '; a time or memory limit ended some trials, so another run may differ' : ''
  const states = {
    running: 'still running when this was written',
    finished: 'finished',
    interrupted: 'interrupted; go on with --resume',
    'time-limit': 'stopped by its time limit',
  }
  return states[study.state] + limits
}
