import type { Compat } from '@spica/schema'
import type { StudyPlan } from './plan.js'
import type { RoundReport } from './sweep-result.js'
import type { Tally } from './tally.js'
import type { TrialRecord } from './trial-record.js'

/** How and where a sweep runs. None of it changes which candidates come out, but for `compat` and limits that fire. */
export interface SweepOptions {
  /** Folder that the config's relative paths start from, and where optimiser packages are looked up. @defaultValue current folder */
  readonly folder?: string
  /** Folder for results; null = keep nothing on disk. @defaultValue null */
  readonly out?: string | null
  /** Go on with the study that `out` holds. @defaultValue false */
  readonly resume?: boolean
  /** Evaluations at once. @defaultValue cores, at most `sweep.parallel_evals` */
  readonly workers?: number
  /** @defaultValue local */
  readonly executor?: 'local' | 'bullmq'
  /** Address of the broker, for `bullmq`. */
  readonly broker?: string
  /** Seconds the whole sweep may take; overrides `sweep.time_limit_seconds`. */
  readonly timeLimitSeconds?: number
  /** Heap limit of each worker thread, MB. */
  readonly memoryLimitMb?: number
  readonly compat?: readonly Compat[]
  /** Flags behind values of `config`, kept in `study.json` for resuming. */
  readonly overrides?: Readonly<Record<string, string | number>>
  /** Ends everything at once; results so far are kept. */
  readonly signal?: AbortSignal
  /** Lets running evaluations finish and starts no others. */
  readonly softSignal?: AbortSignal
  readonly onPlan?: (plan: StudyPlan) => void
  readonly onTrial?: (record: TrialRecord, tally: Readonly<Tally>) => void
  readonly onRound?: (report: RoundReport) => void
  /** Remarks in plain words. */
  readonly onNotice?: (message: string) => void
}
