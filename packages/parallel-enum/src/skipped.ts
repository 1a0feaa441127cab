import type { Backend, DeploymentMode } from '@spica/schema/core'
import { SpicaError } from '@spica/schema/core'

/** A backend that cannot be used in a mode, or (backend null) a mode that no backend can be used in. */
export interface SkippedMode {
  readonly deploymentMode: DeploymentMode
  readonly backend: Backend | null
  /** Kebab-case, e.g. `no-feasible-shape`, `budget-too-small`, or what `exclude` said. */
  readonly code: string
  readonly message: string
  /** GPUs of the smallest deployment that would fit, where a larger budget would help. */
  readonly requiredGpus?: number
}

/** Code of the error when no mode has a configuration left; its kind is `empty`, its details list what was skipped. */
export const NO_VIABLE_PARALLEL_CONFIG = 'no-viable-parallel-config'

export function noViableParallelConfig(skipped: readonly SkippedMode[]): SpicaError {
  const lines = skipped.map(({ deploymentMode, backend, message }) => {
    return `  ${deploymentMode}${backend === null ? '' : `, ${backend}`}: ${message}`
  })
  return new SpicaError('empty', NO_VIABLE_PARALLEL_CONFIG, ['no viable parallel configuration', ...lines].join('\n'), {
    hint: hintFor(skipped),
    details: { skipped },
  })
}

function hintFor(skipped: readonly SkippedMode[]): string {
  const sizes = skipped.map((one) => one.requiredGpus).filter((gpus) => gpus !== undefined)
  if (sizes.length > 0) return `with gpu_budget: ${Math.min(...sizes)} something fits`
  return 'a larger gpu_budget, a shorter context_length, a higher memory fraction or another backend may help'
}
