import type { DeploymentMode, EvaluationPlan, Parameter } from '@spica/schema'

/** What became of a suggestion once it was turned into a deployment. */
export type Realised =
  | {
      readonly kind: 'candidate'
      readonly projection: unknown
      readonly plan: EvaluationPlan
      readonly usedGpus: number
      /** Hash of everything that decides the evaluation's result. */
      readonly key: string
    }
  | {
      /** Known not to work without running it. */
      readonly kind: 'infeasible' | 'unsupported'
      readonly projection: unknown
      readonly plan: EvaluationPlan | null
      readonly usedGpus: number | null
      readonly key: string
      readonly code: string
      readonly message: string
    }

/** One study: a deployment mode, its search space, and how a suggestion becomes a deployment. */
export interface Branch {
  readonly mode: DeploymentMode
  readonly parameters: readonly Parameter[]
  realise(parameters: Readonly<Record<string, number | string>>): Realised
}
