import { z } from 'zod'

/** How a trial ended. `cache-hit` repeats an earlier trial's outcome, whatever that was. */
export type TrialStatus = 'feasible' | 'infeasible' | 'failed' | 'unsupported' | 'timed-out' | 'cache-hit'

/** A finished trial: one line of `trials.jsonl`. */
export interface TrialRecord {
  /** Position in the study, from 0, over all branches. */
  id: number
  /** Deployment mode of the branch. */
  branch: string
  /** Round inside the branch, from 1. */
  round: number
  /** Number the branch's optimiser gave its suggestion. */
  suggestion: number
  /** Parameters the optimiser asked for. */
  selection: Record<string, number | string>
  /** Requested and actual features of the parallel configuration, and their distance. */
  projection: unknown
  /** Hash of the evaluated configuration; equal hashes are equal evaluations. */
  key: string
  /** The unrolled sample; null when no configuration could be formed. */
  config: Record<string, unknown> | null
  used_gpus: number | null
  status: TrialStatus
  /** For a cache hit: the trial whose outcome it repeats and that outcome's status. */
  repeats: { id: number; status: string } | null
  /** Why there are no metrics. */
  reason: { code: string; message: string } | null
  /** Report figures, upstream's names. */
  metrics: Record<string, number> | null
  /** Further facts of the evaluation, e.g. planner events; JSON. */
  notes: Record<string, unknown> | null
  /** Plain value of each objective. */
  objectives: Record<string, number> | null
  /** Signed score; null under a Pareto goal. */
  score: number | null
  /** Epoch milliseconds of its start, and how long it ran. */
  timings: { started_ms: number; duration_ms: number } | null
  worker: string | null
}

/** Checks a line of `trials.jsonl`. */
export const trialRecordSchema: z.ZodType<TrialRecord> = z.strictObject({
  id: z.int().min(0),
  branch: z.string(),
  round: z.int().min(1),
  suggestion: z.int().min(0),
  selection: z.record(z.string(), z.union([z.number(), z.string()])),
  projection: z.unknown(),
  key: z.string(),
  config: z.record(z.string(), z.unknown()).nullable(),
  used_gpus: z.number().nullable(),
  status: z.enum(['feasible', 'infeasible', 'failed', 'unsupported', 'timed-out', 'cache-hit']),
  repeats: z.strictObject({ id: z.int().min(0), status: z.string() }).nullable(),
  reason: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
  metrics: z.record(z.string(), z.number()).nullable(),
  notes: z.record(z.string(), z.unknown()).nullable(),
  objectives: z.record(z.string(), z.number()).nullable(),
  score: z.number().nullable(),
  timings: z.strictObject({ started_ms: z.number(), duration_ms: z.number() }).nullable(),
  worker: z.string().nullable(),
})
