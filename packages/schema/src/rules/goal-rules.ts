import { goalObjectives, needsSla } from '../config/goal.js'
import type { Draft, RuleReport } from './draft.js'

/** SLA of goodput objectives, and the objectives of a front. */
export function goalRules(draft: Draft, report: RuleReport): void {
  paretoObjectives(draft, report)
  goodputSla(draft, report)
}

function paretoObjectives(draft: Draft, report: RuleReport): void {
  const target = draft.read('goal', 'target')
  const objectives = draft.read('goal', 'pareto_objectives')
  if (target === undefined || objectives === undefined || objectives === null) return
  const path = ['goal', 'pareto_objectives']
  if (target !== 'pareto') {
    report.problem(path, 'objectives-need-pareto', `is only allowed with target pareto, not ${target}`)
    return
  }
  if (objectives.length < 2) report.problem(path, 'too-few-objectives', 'needs at least two objectives')
  for (const [index, objective] of objectives.entries()) {
    if (objectives.indexOf(objective) === index) continue
    report.problem([...path, index], 'repeated-objective', `${objective} is listed twice`)
  }
}

function goodputSla(draft: Draft, report: RuleReport): void {
  const target = draft.read('goal', 'target')
  const objectives = draft.read('goal', 'pareto_objectives')
  const sla = draft.read('goal', 'sla')
  if (target === undefined || objectives === undefined || sla === undefined) return
  const wanting = goalObjectives({ target, pareto_objectives: objectives }).find(needsSla)
  if (wanting === undefined) return
  if (sla !== null && (sla.e2e_ms !== null || (sla.ttft_ms !== null && sla.itl_ms !== null))) return
  const message = `${wanting} needs latency bounds: e2e_ms, or ttft_ms and itl_ms together`
  report.problem(['goal', 'sla'], 'goodput-needs-sla', message)
}
