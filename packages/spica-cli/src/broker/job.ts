import { z } from 'zod'

/** Version of the job format; changes with any change of it. */
export const JOB_FORMAT = 1

/** What a queue job carries: no paths, no code, only a candidate and the hash of its study's context. */
export interface EvaluationJob {
  readonly format: number
  /** Version of the sweep that made it. */
  readonly version: string
  /** Hash of the study context. */
  readonly context: string
  /** Seconds an evaluation may run from its own start; null = no limit. */
  readonly time_limit_s: number | null
  /** Heap limit of the thread that runs it, MB; null = Node's own. */
  readonly memory_limit_mb: number | null
  /** The unrolled sample. */
  readonly payload: Readonly<Record<string, unknown>>
}

const scalar = z.union([z.string().max(4096), z.number(), z.boolean(), z.null()])

/** Checks a job from the queue, values included: flat records only. */
export const evaluationJobSchema: z.ZodType<EvaluationJob> = z.strictObject({
  format: z.literal(JOB_FORMAT),
  version: z.string().max(100),
  context: z.string().regex(/^[0-9a-f]{64}$/),
  time_limit_s: z.number().gt(0).nullable(),
  memory_limit_mb: z.int().min(16).nullable(),
  payload: z.record(z.string().max(200), z.union([scalar, z.record(z.string().max(200), scalar)])),
})

/** What a worker answers; the same kinds as `ExecutorOutcome`, and the refusals of the broker path. */
export type EvaluationAnswer =
  | {
      readonly status: 'done'
      readonly result: unknown
      readonly worker: string
      readonly startedMs: number
      readonly durationMs: number
    }
  | {
      readonly status: 'failed' | 'timed-out' | 'out-of-memory' | 'crashed'
      readonly code: string
      readonly message: string
      readonly worker: string
      readonly startedMs: number
      readonly durationMs: number
    }
  | {
      readonly status: 'refused'
      readonly code: 'version-mismatch' | 'invalid-job' | 'missing-context'
      readonly message: string
    }

const timing = { worker: z.string(), startedMs: z.number(), durationMs: z.number() }

/** Checks an answer from the queue. */
export const evaluationAnswerSchema: z.ZodType<EvaluationAnswer> = z.discriminatedUnion('status', [
  z.strictObject({ status: z.literal('done'), result: z.unknown(), ...timing }),
  z.strictObject({
    status: z.enum(['failed', 'timed-out', 'out-of-memory', 'crashed']),
    code: z.string(),
    message: z.string(),
    ...timing,
  }),
  z.strictObject({
    status: z.literal('refused'),
    code: z.enum(['version-mismatch', 'invalid-job', 'missing-context']),
    message: z.string(),
  }),
])
