import { z } from 'zod'

/** How a trial ended. `cache-hit` repeats an earlier trial's outcome, whatever that was. */
export type TrialStatus = 'feasible' | 'infeasible' | 'failed' | 'unsupported' | 'timed-out' | 'cache-hit'

/** One line of `trials.jsonl`: a finished trial. */
export const trialRecordSchema = z.strictObject({
  /** Position in the study, from 0, over all branches. */
  id: z.int().min(0),
  /** Deployment mode of the branch. */
  branch: z.string(),
  /** Round inside the branch, from 1. */
  round: z.int().min(1),
  /** Number the branch's optimiser gave its suggestion. */
  suggestion: z.int().min(0),
  /** Parameters the optimiser asked for. */
  selection: z.record(z.string(), z.union([z.number(), z.string()])),
  /** Requested and actual features of the parallel configuration, and their distance. */
  projection: z.unknown(),
  /** Hash of the evaluated configuration; equal hashes are equal evaluations. */
  key: z.string(),
  /** The unrolled sample; null when no configuration could be formed. */
  config: z.record(z.string(), z.unknown()).nullable(),
  used_gpus: z.number().nullable(),
  status: z.enum(['feasible', 'infeasible', 'failed', 'unsupported', 'timed-out', 'cache-hit']),
  /** For a cache hit: the trial whose outcome it repeats and that outcome's status. */
  repeats: z.strictObject({ id: z.int().min(0), status: z.string() }).nullable(),
  /** Why there are no metrics. */
  reason: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
  /** Kept report figures, upstream's names. */
  metrics: z.record(z.string(), z.number()).nullable(),
  /** Further facts of the evaluation, e.g. planner events; JSON. */
  notes: z.record(z.string(), z.unknown()).nullable(),
  objectives: z.record(z.string(), z.number()).nullable(),
  score: z.number().nullable(),
  timings: z.strictObject({ started_ms: z.number(), duration_ms: z.number() }).nullable(),
  worker: z.string().nullable(),
})

export type TrialRecord = z.infer<typeof trialRecordSchema>
