import type { CreateOptimizer, Executor, GoalConfig, SpicaConfig } from '@spica/schema'
import { isMaximized } from '@spica/schema'
import { createStallMonitor, goalObjectives } from '@spica/scorer'
import type { Branch } from './branch.js'
import type { Ledger } from './ledger.js'
import { mergeTrials, scoredTrial } from './merge-trials.js'
import { runRound } from './round.js'
import { settleOutcome } from './settle-outcome.js'
import type { BranchResult, RoundReport } from './sweep-result.js'
import { countTrial, emptyTally, type Tally } from './tally.js'
import type { TrialRecord } from './trial-record.js'

export interface CoordinatorOptions {
  readonly config: SpicaConfig
  readonly branches: readonly Branch[]
  readonly createOptimizer: CreateOptimizer
  readonly executor: Executor
  readonly ledger: Ledger
  /** Ends everything at once. */
  readonly signal: AbortSignal
  /** Lets running evaluations finish and starts no others. */
  readonly noNewTasks: AbortSignal
  readonly onTrial?: (record: TrialRecord, tally: Readonly<Tally>) => void
  readonly onRound?: (report: RoundReport) => void
  /** Said when a resumed study asks for something else than its ledger holds. */
  readonly onMismatch: (recorded: TrialRecord) => never
}

export interface CoordinatorResult {
  readonly trials: readonly TrialRecord[]
  readonly tally: Readonly<Tally>
  readonly rounds: readonly Pick<BranchResult, 'deployment_mode' | 'rounds' | 'ended'>[]
  readonly limitsFired: number
}

/** Codes of trials whose outcome depends on the machine. */
const LIMIT_CODES: readonly string[] = ['time-limit', 'out-of-memory', 'worker-lost', 'worker-crashed', 'worker-start']

/**
 * Runs the study of each branch, one after another, round by round. Tells happen in the order of asking, so the result does
 * not depend on how many evaluations run at once; what the ledger holds already is not run again.
 */
export async function coordinate(options: CoordinatorOptions): Promise<CoordinatorResult> {
  const { config, ledger } = options
  const { goal, sweep } = config
  const recorded = new Map(ledger.found.map((record) => [record.id, record]))
  const tally = emptyTally()
  const trials: TrialRecord[] = []
  const rounds: { deployment_mode: string; rounds: number; ended: BranchResult['ended'] }[] = []
  let nextId = 0
  const stopping = () => options.signal.aborted || options.noNewTasks.aborted

  for (const [index, branch] of options.branches.entries()) {
    const optimizer = options.createOptimizer({
      parameters: branch.parameters,
      objectives: objectivesOf(goal),
      seed: branchSeed(sweep.random_seed, index),
    })
    const settled = new Map<string, TrialRecord>()
    const stall = createStallMonitor({ goal })
    const own: TrialRecord[] = []
    let ended: BranchResult['ended'] = 'rounds-done'
    let round = 0
    while (round < sweep.max_rounds && !stopping()) {
      round++
      const before = own.length
      const outcome = await runRound({
        branch,
        optimizer,
        round,
        wanted: sweep.candidates_per_round ?? sweep.parallel_evals,
        settled,
        nextTrialId: () => nextId++,
        recorded: (id) => recorded.get(id),
        execute: (tasks) => options.executor.run(tasks, options.signal, { noNewTasks: options.noNewTasks }),
        settle: (trial, realised, answer) => settleOutcome(trial, realised, answer, branch.mode, goal),
        mismatch: options.onMismatch,
        save(record, known) {
          if (!known) ledger.append(record)
          trials.push(record)
          own.push(record)
          countTrial(tally, record)
          options.onTrial?.(record, { ...tally })
        },
      })
      const { candidates } = mergeTrials(trials, goal)
      const { unique, asked } = outcome
      options.onRound?.({ branch: branch.mode, round, unique, asked, tally: { ...tally }, candidates })
      if (!outcome.complete) break
      const fresh = own.slice(before).flatMap((record) => scoredTrial(record) ?? [])
      const { stalledRounds } = stall.observeRound(fresh)
      if (unique < (sweep.candidates_per_round ?? sweep.parallel_evals)) {
        ended = 'space-exhausted'
        break
      }
      if (sweep.stop_after_stall_rounds !== null && stalledRounds >= sweep.stop_after_stall_rounds) {
        ended = 'stalled'
        break
      }
    }
    rounds.push({ deployment_mode: branch.mode, rounds: round, ended: stopping() ? 'stopped' : ended })
  }
  trials.sort((a, b) => a.id - b.id)
  const limitsFired = trials.filter(
    (record) => record.reason !== null && record.status !== 'cache-hit' && LIMIT_CODES.includes(record.reason.code),
  ).length
  return { trials, tally, rounds, limitsFired }
}

/** A seed of its own for each branch, so that studies of one sweep do not repeat each other's draws. */
function branchSeed(seed: number, index: number): number {
  return (seed + index * 0x9e3779b1) >>> 0
}

function objectivesOf(
  goal: GoalConfig,
): { name: string; direction: 'maximize' | 'minimize'; referencePoint?: number }[] {
  const names = goalObjectives(goal)
  return names.map((name) => ({
    name,
    direction: isMaximized(name) ? 'maximize' : 'minimize',
    ...(names.length > 1 && isMaximized(name) ? { referencePoint: 0 } : {}),
  }))
}
