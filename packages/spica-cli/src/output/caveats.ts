import type { GoalConfig } from '@spica/schema'
import type { SweepResult } from '../study/sweep-result.js'

/** Most candidates looked at: those that the final table shows. */
const LOOKED_AT = 10

/**
 * What a reader must know before trusting the winners, in plain words: requests that no engine could hold (their latencies
 * are left out of every figure, so serving fewer must not look better), and a goodput of nothing.
 */
export function resultCaveats(result: SweepResult, goal: GoalConfig): readonly string[] {
  const caveats: string[] = []
  const trials = new Map(result.trials.map((trial) => [trial.id, trial]))
  const shown = result.kind === 'ranking' ? result.candidates.slice(0, LOOKED_AT) : result.candidates
  const dropped = shown.flatMap((candidate, index) => {
    const metrics = trials.get(candidate.trial)?.metrics
    const lost = (metrics?.['num_requests'] ?? 0) - (metrics?.['completed_requests'] ?? 0)
    return lost > 0 ? [{ number: index + 1, lost, of: metrics?.['num_requests'] ?? 0 }] : []
  })
  const [worst] = dropped.toSorted((a, b) => b.lost - a.lost)
  if (worst !== undefined)
    caveats.push(
      `candidate ${dropped.map(({ number }) => number).join(', ')} cannot serve every request (${worst.lost} of ${worst.of} are too long ` +
        `for candidate ${worst.number}): its latencies leave them out`,
    )
  const [best] = result.candidates
  if (best !== undefined && goal.target.startsWith('goodput') && best.score === 0)
    caveats.push(
      'no candidate serves a single request within the SLA: the ranking means nothing; relax sla, or raise gpu_budget',
    )
  return caveats
}
