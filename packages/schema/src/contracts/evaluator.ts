import type { ReplayReport } from '../domain/replay-report.js'

/** A candidate to evaluate: the flat unrolled sample (spec/search-space.md §4, snake_case keys), JSON only. */
export type EvaluationPlan = Readonly<Record<string, unknown>>

/** Measures one candidate. Rejects on failure; resolves with a report otherwise. */
export interface Evaluator {
  evaluate(plan: EvaluationPlan, signal: AbortSignal): Promise<ReplayReport>
}
