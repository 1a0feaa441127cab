import { existsSync, rmSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { type Executor, type SpicaConfig, SpicaError } from '@spica/schema'
import { goalObjectives } from '@spica/scorer'
import { createExecutor } from '../executors/registry.js'
import { type OutputFolder, openOutputFolder, STUDY_FILES } from '../io/output-folder.js'
import { loadOptimizer } from '../optimizers/load-optimizer.js'
import { writeCandidates } from '../output/candidates.js'
import { VERSION } from '../version.js'
import { type CoordinatorResult, coordinate } from './coordinator.js'
import { createVolatileLedger, type Ledger, openLedger } from './ledger.js'
import { mergeTrials } from './merge-trials.js'
import { packContext } from './packed-context.js'
import { planStudy, type StudyPlan } from './plan.js'
import { describeContext, type StudyContext } from './study-context.js'
import { studyFacts } from './study-facts.js'
import { identityDiff, readStudyFile, type StudyFile, writeStudyFile } from './study-file.js'
import type { SweepOptions } from './sweep-options.js'
import type { StopReason, SweepResult } from './sweep-result.js'

/**
 * The whole sweep: enumerate, study, merge. Resolves with what was found, also when it was interrupted; throws
 * `SpicaError` when it cannot begin. With `out`, everything is saved there as it comes, and can be resumed.
 */
export async function runSweep(config: SpicaConfig, options: SweepOptions = {}): Promise<SweepResult> {
  const output = options.out == null ? null : openOutputFolder(options.out)
  const isNew = output !== null && !existsSync(join(output.path, STUDY_FILES.study))
  try {
    const createOptimizer = await loadOptimizer(config.sweep.optimizer, options.folder ?? process.cwd())
    const plan = await planStudy(config, { folder: options.folder ?? process.cwd(), compat: options.compat ?? [] })
    options.onPlan?.(plan)
    for (const notice of plan.notices) options.onNotice?.(notice)
    const context = packContext(plan.settings)
    const study = newStudy(plan, context, options)
    const ledger = output === null ? createVolatileLedger() : openStudy(output.path, study, options)
    try {
      return await runStudy({ plan, context, study, ledger, output, createOptimizer, options })
    } finally {
      ledger.close()
    }
  } catch (error) {
    if (output !== null && isNew) withdrawEmptyStudy(output.path)
    output?.discard()
    throw error
  }
}

/** Takes back the files of a study that ended before its first trial, so that a failed start leaves nothing behind. */
function withdrawEmptyStudy(folder: string): void {
  const ledger = join(folder, STUDY_FILES.ledger)
  if (statSync(ledger, { throwIfNoEntry: false })?.size !== 0) return
  rmSync(ledger)
  rmSync(join(folder, STUDY_FILES.study), { force: true })
}

interface Running {
  readonly plan: StudyPlan
  readonly context: StudyContext
  readonly study: StudyFile
  readonly ledger: Ledger
  readonly output: OutputFolder | null
  readonly createOptimizer: Awaited<ReturnType<typeof loadOptimizer>>
  readonly options: SweepOptions
}

async function runStudy(running: Running): Promise<SweepResult> {
  const { plan, ledger, output, options } = running
  const stop = stopSignals(options, options.timeLimitSeconds ?? plan.config.sweep.time_limit_seconds)
  let executor: Executor | null = null
  try {
    executor = await makeExecutor(running)
    const done = await coordinate({
      config: plan.config,
      branches: plan.branches,
      createOptimizer: running.createOptimizer,
      executor,
      ledger,
      signal: stop.now,
      noNewTasks: stop.soon,
      ...(options.onTrial === undefined ? {} : { onTrial: options.onTrial }),
      onRound(report) {
        if (output !== null) writeCandidates(output.path, report.candidates)
        options.onRound?.(report)
      },
      onMismatch(recorded) {
        throw new SpicaError(
          'input',
          'resume-mismatch',
          `trial ${recorded.id} of the ledger is not what is asked now`,
          {
            hint: 'is the optimiser deterministic, and the ledger of this study? Start again in another folder',
          },
        )
      },
    })
    return finish(running, done, stop.reason())
  } finally {
    stop.dispose()
    await executor?.close()
  }
}

function finish({ plan, study, output, options }: Running, done: CoordinatorResult, stopped: StopReason): SweepResult {
  const { kind, candidates } = mergeTrials(done.trials, plan.config.goal)
  const branches = plan.enumeration.branches.map(({ deploymentMode, backends, pool }) => {
    const ran = done.rounds.find((rounds) => rounds.deployment_mode === deploymentMode)
    return {
      deployment_mode: deploymentMode,
      backends,
      configurations: pool.size,
      rounds: ran?.rounds ?? 0,
      ended: ran?.ended ?? ('stopped' as const),
    }
  })
  if (output !== null) {
    writeCandidates(output.path, candidates)
    writeStudyFile(output.path, {
      ...study,
      state: stopped,
      limits_fired: done.limitsFired > 0,
      tally: done.tally,
      results: branches,
      workers: options.workers ?? null,
    })
  }
  return {
    candidates,
    kind,
    objectives: goalObjectives(plan.config.goal),
    tally: done.tally,
    branches,
    stopped,
    limitsFired: done.limitsFired,
    trials: done.trials,
    notices: plan.notices,
  }
}

function newStudy(plan: StudyPlan, context: StudyContext, options: SweepOptions): StudyFile {
  return {
    format: 1,
    version: VERSION,
    seed: plan.config.sweep.random_seed,
    state: 'running',
    limits_fired: false,
    compat: options.compat ?? [],
    overrides: options.overrides ?? {},
    config_folder: options.folder ?? process.cwd(),
    context_hash: describeContext(context).hash,
    ...studyFacts(plan),
    config: plan.config,
  }
}

/** Opens the ledger of a new or resumed study. A study without a finished trial may be begun anew under any config. */
function openStudy(folder: string, study: StudyFile, options: SweepOptions): Ledger {
  const path = join(folder, STUDY_FILES.ledger)
  const before = readStudyFile(folder)
  if (before !== null && options.resume !== true)
    throw new SpicaError('input', 'study-exists', `${folder} holds a study already`, {
      hint: `go on with it by --resume ${folder}, or choose another --out`,
    })
  if (before === null) {
    writeStudyFile(folder, study)
    return openLedger(path, { fresh: true })
  }
  const ledger = openLedger(path, { fresh: false })
  const diff = ledger.found.length === 0 ? [] : identityDiff(before, study)
  if (diff.length > 0) {
    ledger.close()
    throw new SpicaError(
      'input',
      'resume-mismatch',
      `the study in ${folder} was another one:\n  ${diff.join('\n  ')}`,
      {
        hint: 'resume with the same config, seed, data and version, or start in another folder',
        details: { diff },
      },
    )
  }
  writeStudyFile(folder, study)
  return ledger
}

function makeExecutor({ plan, context, options }: Running): Promise<Executor> {
  const { sweep } = plan.config
  return createExecutor(options.executor ?? 'local', {
    context,
    workers:
      options.workers ??
      (options.executor === 'bullmq' ? null : Math.min(availableParallelism(), sweep.parallel_evals)),
    timeLimitSeconds: sweep.max_eval_seconds,
    memoryLimitMb: options.memoryLimitMb ?? null,
    broker: options.broker ?? null,
    onIncident: (message) => options.onNotice?.(message),
  })
}

/** The caller's signals and the time limit as one pair of signals, and which of them fired. */
function stopSignals(options: SweepOptions, timeLimitSeconds: number | null) {
  const timeUp = new AbortController()
  const timer =
    timeLimitSeconds === null ? null : setTimeout(() => timeUp.abort(), Math.min(timeLimitSeconds * 1000, 0x7fffffff))
  const hard = options.signal ?? new AbortController().signal
  const soft = options.softSignal ?? new AbortController().signal
  return {
    now: AbortSignal.any([hard, timeUp.signal]),
    soon: AbortSignal.any([hard, soft, timeUp.signal]),
    reason: (): StopReason =>
      hard.aborted || soft.aborted ? 'interrupted' : timeUp.signal.aborted ? 'time-limit' : 'finished',
    dispose: () => {
      if (timer !== null) clearTimeout(timer)
    },
  }
}
