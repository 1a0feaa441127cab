import type { ExecutorOutcome, ExecutorTask, Optimizer, Outcome, Suggestion } from '@spica/schema'
import type { Branch, Realised } from './branch.js'
import type { TrialRecord } from './trial-record.js'

/** Asks allowed for each new feasible sample that a round wants. */
export const ASKS_PER_SAMPLE = 11

/** What a round needs from the sweep around it. */
export interface RoundContext {
  readonly branch: Branch
  readonly optimizer: Optimizer
  /** From 1, inside the branch. */
  readonly round: number
  /** New feasible samples wanted. */
  readonly wanted: number
  /** Settled trials of the branch by key; failures too, so that nothing is run twice. */
  readonly settled: Map<string, TrialRecord>
  /** Number of the next trial; numbers follow the order of asking. */
  nextTrialId(): number
  /** The trial of that number when an earlier run of this study finished it. */
  recorded(id: number): TrialRecord | undefined
  /** Runs tasks; tasks that were stopped yield nothing. */
  execute(tasks: readonly ExecutorTask[]): AsyncIterable<ExecutorOutcome>
  /** Record of an evaluation's outcome. */
  settle(trial: Trial, realised: Extract<Realised, { kind: 'candidate' }>, outcome: ExecutorOutcome): TrialRecord
  /** Called when a recorded trial is not what was asked now: the study was resumed under other conditions. */
  mismatch(recorded: TrialRecord): never
  /** Saves and counts a finished trial; `known` when an earlier run saved it already. */
  save(record: TrialRecord, known: boolean): void
}

/** One suggestion under way. */
export interface Trial {
  readonly id: number
  readonly suggestion: Suggestion
  readonly round: number
  readonly realised: Realised
}

export interface RoundOutcome {
  /** New feasible samples. */
  readonly unique: number
  readonly asked: number
  /** False when a stop left trials without an outcome; nothing of the last ask was told then. */
  readonly complete: boolean
}

/**
 * One barrier: ask, project, drop repeats, evaluate, then tell everything in the order of asking, until `wanted` new
 * feasible samples are found, the asks are used up, or the space is exhausted.
 */
export async function runRound(context: RoundContext): Promise<RoundOutcome> {
  const askLimit = ASKS_PER_SAMPLE * context.wanted
  let unique = 0
  let asked = 0
  while (unique < context.wanted && asked < askLimit) {
    const suggestions = context.optimizer.ask(Math.min(context.wanted - unique, askLimit - asked))
    if (suggestions.length === 0) break
    asked += suggestions.length
    const trials = suggestions.map(
      (suggestion): Trial => ({
        id: context.nextTrialId(),
        suggestion,
        round: context.round,
        realised: context.branch.realise(suggestion.parameters),
      }),
    )
    const records = await settleTrials(context, trials)
    if (records === null) return { unique, asked, complete: false }
    unique += records.filter((record) => record.status === 'feasible').length
    context.optimizer.tell(records.map((record, index) => outcomeOf(record, trials[index] as Trial, context)))
  }
  return { unique, asked, complete: true }
}

/** Records of `trials` in their order, or null when a stop left some unfinished. */
async function settleTrials(context: RoundContext, trials: readonly Trial[]): Promise<TrialRecord[] | null> {
  const records = new Map<number, TrialRecord>()
  const byKey = new Map<string, Trial>()
  const tasks: ExecutorTask[] = []
  const finish = (trial: Trial, record: TrialRecord, known: boolean) => {
    records.set(trial.id, record)
    if (record.status !== 'cache-hit') context.settled.set(trial.realised.key, record)
    context.save(record, known)
  }

  for (const trial of trials) {
    const known = context.recorded(trial.id)
    const { realised } = trial
    if (known !== undefined) {
      if (known.key !== realised.key || known.branch !== context.branch.mode) context.mismatch(known)
      finish(trial, known, true)
    } else if (context.settled.has(realised.key) || byKey.has(realised.key)) continue
    else if (realised.kind !== 'candidate') finish(trial, refusal(trial, realised, context.branch.mode), false)
    else {
      byKey.set(realised.key, trial)
      tasks.push({ id: realised.key, payload: realised.plan })
    }
  }
  for await (const outcome of tasks.length === 0 ? [] : context.execute(tasks)) {
    const trial = byKey.get(outcome.id)
    if (trial === undefined || records.has(trial.id) || trial.realised.kind !== 'candidate') continue
    finish(trial, context.settle(trial, trial.realised, outcome), false)
  }
  for (const trial of trials) {
    if (records.has(trial.id)) continue
    const original = context.settled.get(trial.realised.key)
    if (original === undefined) return null
    finish(trial, repeat(trial, original, context.branch.mode), false)
  }
  return trials.map((trial) => records.get(trial.id) as TrialRecord)
}

/** What the optimiser is told of a trial; a repeat is told what its original was. */
function outcomeOf(record: TrialRecord, trial: Trial, context: RoundContext): Outcome {
  const id = trial.suggestion.id
  const source = record.status === 'cache-hit' ? context.settled.get(record.key) : record
  if (source?.status === 'feasible' && source.objectives !== null)
    return { id, status: 'complete', metrics: source.objectives }
  return { id, status: 'infeasible', reason: source?.reason?.message ?? 'not evaluated' }
}

/** Fields of a record that come from the trial alone. */
export function trialHead(
  trial: Trial,
  branch: string,
): Pick<
  TrialRecord,
  'id' | 'branch' | 'round' | 'suggestion' | 'selection' | 'projection' | 'key' | 'config' | 'used_gpus'
> {
  return {
    id: trial.id,
    branch,
    round: trial.round,
    suggestion: trial.suggestion.id,
    selection: { ...trial.suggestion.parameters },
    projection: trial.realised.projection,
    key: trial.realised.key,
    config: trial.realised.plan === null ? null : { ...trial.realised.plan },
    used_gpus: trial.realised.usedGpus,
  }
}

const NOTHING_MEASURED = {
  metrics: null,
  notes: null,
  objectives: null,
  score: null,
  timings: null,
  worker: null,
} as const

function refusal(trial: Trial, realised: Exclude<Realised, { kind: 'candidate' }>, branch: string): TrialRecord {
  return {
    ...trialHead(trial, branch),
    status: realised.kind,
    repeats: null,
    reason: { code: realised.code, message: realised.message },
    ...NOTHING_MEASURED,
  }
}

function repeat(trial: Trial, original: TrialRecord, branch: string): TrialRecord {
  return {
    ...trialHead(trial, branch),
    status: 'cache-hit',
    repeats: { id: original.id, status: original.status },
    reason: original.reason,
    ...NOTHING_MEASURED,
  }
}
