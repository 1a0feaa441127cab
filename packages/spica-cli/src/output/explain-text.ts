import { type RuleVerdict, shapeName } from '@spica/parallel-enum'
import type { Backend, Role, WorkerShape } from '@spica/schema'
import { type ObjectiveName, objectiveUnit } from '@spica/scorer'
import type { BetterTrial, ShapeStanding, StandingTrial } from '../study/shape-standing.js'
import { deploymentText } from './sweep-summary.js'
import { significant } from './text-table.js'

/** Verdicts on a shape on one backend in one role. */
export interface ExplainedCheck {
  readonly backend: Backend
  readonly role: Role
  readonly ok: boolean
  readonly verdicts: readonly RuleVerdict[]
  /** Why the backend's pass times are not available. */
  readonly gap: { readonly code: string; readonly message: string } | null
}

/** Every rule with its numbers; backends and roles with the same verdicts once. */
export function verdictsText(checks: readonly ExplainedCheck[]): string {
  const groups = new Map<string, string[]>()
  for (const { backend, role, ok, verdicts, gap } of checks) {
    const rules = verdicts.map(({ rule, verdict }) => {
      const text = verdict.ok ? 'holds' : verdict.message
      return `  ${verdict.ok ? 'yes ' : 'no  '} ${rule}: ${text}${numbersText(verdict.numbers)}`
    })
    if (gap !== null) rules.unshift(`  no   database: ${gap.message}`)
    const text = [ok ? 'yes' : 'no', ...rules].join('\n')
    groups.set(text, [...(groups.get(text) ?? []), `${backend} ${role}`])
  }
  return [...groups].map(([text, where]) => `${where.join(', ')}: ${text}`).join('\n\n')
}

/** Numbers of a verdict; large byte counts in GiB. */
function numbersText(numbers: Readonly<Record<string, number>> | undefined): string {
  const entries = Object.entries(numbers ?? {})
  if (entries.length === 0) return ''
  const one = ([name, value]: [string, number]) =>
    /bytes/i.test(name) && Math.abs(value) >= 2 ** 20
      ? `${name.replace(/bytes/i, '')} ${significant(value / 2 ** 30)} GiB`
      : `${name} ${significant(value, 8)}`
  return ` (${entries.map(one).join(', ')})`
}

/** How a shape did in a study, and what beats it by how much. */
export function standingText(shape: WorkerShape, folder: string, standing: ShapeStanding): string {
  const { statuses, best, reason } = standing
  const tried = Object.values(statuses).reduce((sum, count) => sum + count, 0)
  if (tried === 0) return `study ${folder}: no trial had ${shapeName(shape)}, so it was never tried there`
  const counts = Object.entries(statuses).map(([status, count]) => `${count} ${status}`)
  const lines = [`study ${folder}: ${tried} trial${tried === 1 ? '' : 's'} with this shape, ${counts.join(', ')}`]
  if (best.length === 0) lines.push(`  none was feasible${reason === null ? '' : `; most often: ${reason}`}`)
  for (const trial of best) {
    lines.push(
      `  trial ${trial.trial}: ${objectivesText(trial)}, ${trial.usedGpus} GPUs, ${deploymentText(trial.config)}`,
    )
    lines.push(`    ${placeText(trial, standing)}`)
    for (const better of trial.better) lines.push(`    ${betterText(better, trial)}`)
    const more = trial.betterCount - trial.better.length
    if (more > 0) lines.push(`    and by ${more} more`)
  }
  return lines.join('\n')
}

function placeText(trial: StandingTrial, { feasible, frontSize }: ShapeStanding): string {
  if (trial.rank !== null)
    return trial.rank === 1
      ? `the best of ${feasible} feasible trials`
      : `place ${trial.rank} of ${feasible} feasible trials; outranked`
  if (trial.onFront === true) return `on the Pareto front of ${frontSize} points: nothing dominates it`
  return `dominated by ${trial.betterCount} of the ${frontSize} points of the Pareto front`
}

function betterText(better: BetterTrial, beaten: StandingTrial): string {
  const gains = Object.entries(better.margins).map(([name, margin]) => {
    if (margin === 0) return `${name} the same`
    const share = better.relative[name]
    const sign = (better.objectives[name] as number) > (beaten.objectives[name] as number) ? '+' : '-'
    const percent = share === null || share === undefined ? '' : ` (${sign}${significant(share * 100, 3)} %)`
    return `${name} ${sign}${significant(margin)} ${objectiveUnit(name as ObjectiveName)}${percent}`
  })
  const cost = better.usedGpus === beaten.usedGpus ? '' : `, ${better.usedGpus} GPUs`
  return `by trial ${better.trial}: ${gains.join(', ')}${cost}; ${deploymentText(better.config)}`
}

function objectivesText({ objectives }: StandingTrial): string {
  return Object.entries(objectives)
    .map(([name, value]) => `${name} ${significant(value)} ${objectiveUnit(name as ObjectiveName)}`)
    .join(', ')
}
