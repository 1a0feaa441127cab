import type { GoalConfig } from '@spica/schema'
import { frontHypervolume, type ObjectiveName, objectiveUnit } from '@spica/scorer'
import type { SweepCandidate, SweepResult } from '../study/sweep-result.js'
import { summariseReasons } from '../study/tally.js'
import { resultCaveats } from './caveats.js'
import { paretoSketch } from './pareto-sketch.js'
import { counts } from './progress.js'
import { significant, textTable } from './text-table.js'

/** Rows of the final table under a scalar goal. */
const SHOWN = 10

/** Best score with its unit, or the hypervolume of the front; null when there is nothing yet. */
export function bestText(candidates: readonly SweepCandidate[], goal: GoalConfig): string | null {
  const [best] = candidates
  if (best === undefined) return null
  if (goal.target === 'pareto') {
    const names = Object.keys(best.objectives) as ObjectiveName[]
    const points = candidates.map((candidate) => ({ ...candidate, usedGpus: candidate.used_gpus }))
    return `hypervolume ${significant(frontHypervolume(points, names))}`
  }
  return `${significant(best.objectives[goal.target] as number)} ${objectiveUnit(goal.target)}`
}

/** What a person reads at the end: the table, the tally, why things failed, and where the files are. */
export function sweepSummary(result: SweepResult, goal: GoalConfig, folder: string): string {
  const shown = result.kind === 'ranking' ? result.candidates.slice(0, SHOWN) : result.candidates
  const lines: string[] = []
  if (shown.length > 0) {
    const names = result.objectives as readonly ObjectiveName[]
    const head = ['#', ...names.map((name) => `${name} (${objectiveUnit(name)})`), 'GPUs', 'deployment']
    const rows = shown.map((candidate, index) => [
      index + 1,
      ...names.map((name) => significant(candidate.objectives[name] as number)),
      candidate.used_gpus,
      deploymentText(candidate.config),
    ])
    const title =
      result.kind === 'front'
        ? `Pareto front, ${shown.length} points`
        : `Best ${shown.length} of ${result.candidates.length} feasible`
    lines.push(title, textTable(head, rows), '')
    const sketch = result.kind === 'front' ? frontSketch(result.candidates, names) : ''
    if (sketch !== '') lines.push(sketch, '')
  }
  const best = bestText(result.candidates, goal)
  if (best !== null) lines.push(`best: ${best}`)
  lines.push(`trials: ${result.tally.asked} asked, ${counts(result.tally)}`)
  const { shown: reasons, more } = summariseReasons(result.trials, 3)
  for (const { message, count } of reasons) lines.push(`  ${count} x ${message}`)
  if (more > 0) lines.push(`  and ${more} other reasons`)
  for (const caveat of resultCaveats(result, goal)) lines.push(`warning: ${caveat}`)
  if (result.stopped !== 'finished')
    lines.push(`stopped before its end: ${result.stopped}; go on with --resume ${folder}`)
  if (result.limitsFired > 0)
    lines.push(`${result.limitsFired} trials met a time or memory limit: another run may find other candidates`)
  lines.push(`results: ${folder}`, 'Figures are predictions of an experimental tool, not guarantees.', '')
  return lines.join('\n')
}

/** The front in plain text: the first objective upwards over the second. */
function frontSketch(candidates: readonly SweepCandidate[], names: readonly ObjectiveName[]): string {
  const [up, across] = names
  if (up === undefined || across === undefined) return ''
  const axis = (name: ObjectiveName) => ({
    title: `${name} (${objectiveUnit(name)})`,
    values: candidates.map((candidate) => candidate.objectives[name] as number),
  })
  return paretoSketch(axis(across), axis(up))
}

/** A deployment in one line, e.g. `vllm agg 4 x tp2, 8192/512`. */
export function deploymentText(config: Readonly<Record<string, unknown>>): string {
  const value = (key: string) => config[key]
  const pool = (prefix: string, role: string) => {
    const parts = [`tp${String(value(`${prefix}tp`))}`]
    if (Number(value(`${prefix}attention_dp`)) > 1) parts.push(`dp${String(value(`${prefix}attention_dp`))}`)
    if (Number(value(`${prefix}moe_tp`)) > 1) parts.push(`moe_tp${String(value(`${prefix}moe_tp`))}`)
    if (Number(value(`${prefix}moe_ep`)) > 1) parts.push(`ep${String(value(`${prefix}moe_ep`))}`)
    const batching = `${String(value(`${role}_max_num_batched_tokens`))}/${String(value(`${role}_max_num_seqs`))}`
    return `${String(value(`${prefix}replicas`))} x ${parts.join(' ')} ${batching}`
  }
  const pools =
    value('deployment_mode') === 'disagg'
      ? `disagg ${pool('prefill_', 'prefill')} + ${pool('decode_', 'decode')}`
      : `agg ${pool('', 'agg')}`
  const policy = value('planner_scaling_policy')
  const scaling = policy === 'disabled' ? '' : `, ${typeof policy === 'string' ? policy : 'custom scaling'}`
  const load = value('concurrency') === undefined ? '' : `, concurrency ${String(value('concurrency'))}`
  return `${String(value('backend'))} ${pools}, ${String(value('router_mode'))}${scaling}${load}`
}
