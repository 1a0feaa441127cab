import type { Tally } from './tally.js'
import type { TrialRecord } from './trial-record.js'

/** A feasible deployment of the result, as `candidates.json` shows it. */
export interface SweepCandidate {
  /** The unrolled sample, upstream's keys. */
  readonly config: Readonly<Record<string, unknown>>
  readonly used_gpus: number
  /** Signed score, larger is better; null under a Pareto goal. */
  readonly score: number | null
  readonly metrics: Readonly<Record<string, number>>
  /** Plain value of each objective. */
  readonly objectives: Readonly<Record<string, number>>
  /** Number of the trial that measured it. */
  readonly trial: number
  /** Trials with exactly the same objectives, under a Pareto goal. */
  readonly alternatives: readonly number[]
}

/** Why a sweep ended. */
export type StopReason = 'finished' | 'interrupted' | 'time-limit'

/** What happened to one branch. */
export interface BranchResult {
  readonly deployment_mode: string
  readonly backends: readonly string[]
  readonly configurations: number
  readonly rounds: number
  /** Why its rounds ended. */
  readonly ended: 'rounds-done' | 'space-exhausted' | 'stalled' | 'stopped'
}

export interface SweepResult {
  readonly candidates: readonly SweepCandidate[]
  readonly kind: 'ranking' | 'front'
  /** Names of the goal's objectives, in order. */
  readonly objectives: readonly string[]
  readonly tally: Readonly<Tally>
  readonly branches: readonly BranchResult[]
  readonly stopped: StopReason
  /** Trials ended by a time or memory limit: with any, another run may differ. */
  readonly limitsFired: number
  readonly trials: readonly TrialRecord[]
  /** Configurations that were left out before the start, and other remarks, in plain words. */
  readonly notices: readonly string[]
}

/** Handed to `onRound` after every round, including a short last one. A copy: changing it changes nothing. */
export interface RoundReport {
  readonly branch: string
  readonly round: number
  readonly unique: number
  readonly asked: number
  readonly tally: Readonly<Tally>
  readonly candidates: readonly SweepCandidate[]
}
