import type { StudyPlan } from './plan.js'

/** What `study.json` tells about a plan besides its identity: objectives, branches, what was skipped, forecasters. */
export function studyFacts(plan: StudyPlan): Record<string, unknown> {
  return {
    objectives:
      plan.config.goal.target === 'pareto' ? (plan.config.goal.pareto_objectives ?? null) : [plan.config.goal.target],
    perf: {
      model: plan.settings.perf.model,
      backend_versions: plan.settings.perf.backendVersions,
      calibrated_by_points: plan.settings.perf.points?.length ?? 0,
    },
    branches: plan.enumeration.branches.map(({ deploymentMode, backends, pool }, index) => ({
      deployment_mode: deploymentMode,
      backends,
      configurations: pool.size,
      parameters: plan.branches[index]?.parameters ?? [],
    })),
    skipped: plan.enumeration.skipped,
    predictors: { winners: plan.predictors.winners, sweeps: plan.predictors.sweeps },
    notices: plan.notices,
  }
}
