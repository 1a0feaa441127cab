import type { BetterTrial, ShapeStanding, StandingTrial } from '../study/shape-standing.js'
import type { SingleChange } from '../study/single-change.js'

/** A single change as `explain --json` shows it. */
export function changeJson({ kind, settings, words, fit }: SingleChange): unknown {
  return {
    kind,
    settings,
    words,
    fit: {
      backend: fit.backend,
      gpus: fit.gpus,
      workers: fit.workers.map(({ role, shape: { tp, attentionDp, moeTp, moeEp } }) => ({
        role,
        tp,
        attention_dp: attentionDp,
        moe_tp: moeTp,
        moe_ep: moeEp,
      })),
    },
  }
}

/** How a shape did in a study, as `explain --json` shows it. */
export function standingJson(standing: ShapeStanding): Record<string, unknown> {
  return {
    objectives: standing.objectives,
    trials: standing.statuses,
    feasible_trials: standing.feasible,
    front_size: standing.frontSize,
    reason: standing.reason,
    best: standing.best.map((trial) => ({
      ...trialJson(trial),
      role: trial.role,
      rank: trial.rank,
      on_front: trial.onFront,
      better_trials: trial.betterCount,
      better: trial.better.map((better) => ({
        ...trialJson(better),
        margins: better.margins,
        relative_margins: better.relative,
      })),
    })),
  }
}

function trialJson({ trial, usedGpus, score, objectives, config }: StandingTrial | BetterTrial) {
  return { trial, used_gpus: usedGpus, score, objectives, config }
}
