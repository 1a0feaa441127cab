import type { Backend, DeploymentMode, Role } from '@spica/schema/core'
import { gpusPerWorker } from '@spica/schema/core'
import type { ResolvedEnumerateOptions } from './enumerate-options.js'
import type { MaskedShape } from './enumerate-pool.js'
import { checkShape, firstRejection, type ShapeCheck } from './shape-check.js'
import { allWorkerShapes, GPUS_PER_WORKER, shapeName } from './worker-shapes.js'

/** The roles whose workers a mode has. */
export function rolesOf(mode: DeploymentMode): readonly Role[] {
  return mode === 'agg' ? ['agg'] : ['prefill', 'decode']
}

export interface FeasibleShapes {
  /** All shapes of any backend in order of size, with the backends that can run them. */
  readonly shapes: readonly MaskedShape[]
  /** Every check that was made. */
  readonly checks: readonly ShapeCheck[]
}

/** Asks the rules about each shape, backend by backend and role by role. */
export function feasibleShapes(
  mode: DeploymentMode,
  backends: readonly Backend[],
  options: ResolvedEnumerateOptions,
): FeasibleShapes {
  const { band, structure, ruleSet } = options
  const rows = new Map<string, { shape: MaskedShape['shape']; firstMask: number; secondMask: number }>()
  const checks: ShapeCheck[] = []
  const shapesOf = backends.map((backend) => allWorkerShapes(band.max, { ...structure, backend }))
  // Backends differ only in which shapes they leave out, so the longest list has the common order.
  for (const shape of shapesOf.reduce((longest, list) => (list.length > longest.length ? list : longest), [])) {
    rows.set(shapeName(shape), { shape, firstMask: 0, secondMask: 0 })
  }
  backends.forEach((backend, bit) => {
    for (const shape of shapesOf[bit]!) {
      const row = rows.get(shapeName(shape))
      if (row === undefined) continue
      rolesOf(mode).forEach((role, k) => {
        const check = checkShape(shape, backend, role, ruleSet)
        checks.push(check)
        if (!check.ok) return
        if (k === 0) row.firstMask |= 1 << bit
        else row.secondMask |= 1 << bit
      })
    }
  })
  return { shapes: [...rows.values()], checks }
}

/**
 * GPUs of the smallest deployment whose workers the rules allow on this backend, whatever the budget; null when not even
 * the largest workers pass.
 */
function smallestDeploymentGpus(
  mode: DeploymentMode,
  backend: Backend,
  options: ResolvedEnumerateOptions,
): number | null {
  const shapes = allWorkerShapes(Number.POSITIVE_INFINITY, { ...options.structure, backend })
  let total = 0
  for (const role of rolesOf(mode)) {
    const fitting = shapes.find((shape) => checkShape(shape, backend, role, options.ruleSet).ok)
    if (fitting === undefined) return null
    total += gpusPerWorker(fitting)
  }
  return total
}

export interface EmptyBackend {
  readonly code: string
  readonly message: string
  /** GPUs of the smallest deployment that would fit, when the budget is smaller than that. */
  readonly requiredGpus?: number
}

function outlookFor(
  mode: DeploymentMode,
  backend: Backend,
  options: ResolvedEnumerateOptions,
): { outlook: string; requiredGpus?: number } {
  const { min, max } = options.band
  if (options.pins.length > 0) return { outlook: 'it can run none of the listed configurations' }
  const required = smallestDeploymentGpus(mode, backend, options)
  if (required === null) return { outlook: `no worker of up to ${GPUS_PER_WORKER.at(-1)} GPUs fits` }
  if (required > max) {
    return { outlook: `it takes at least ${required} GPUs, the budget is ${max}`, requiredGpus: required }
  }
  return { outlook: `no combination uses ${min === max ? `exactly ${max}` : `${min} to ${max}`} GPUs` }
}

/** Why a backend has no row: the commonest reasons of its rejected shapes and the GPUs it would take, or the GPU band. */
export function explainEmptyBackend(
  mode: DeploymentMode,
  backend: Backend,
  checks: readonly ShapeCheck[],
  options: ResolvedEnumerateOptions,
): EmptyBackend {
  const own = checks.filter((check) => check.backend === backend)
  const rejections = own.map(firstRejection).filter((rejection) => rejection !== null)
  const { outlook, ...requiredGpus } = outlookFor(mode, backend, options)
  if (rejections.length === 0) return { code: 'budget-too-small', message: outlook, ...requiredGpus }
  const counts = new Map<string, number>()
  for (const { code } of rejections) counts.set(code, (counts.get(code) ?? 0) + 1)
  const [code] = [...counts].reduce((top, entry) => (entry[1] > top[1] ? entry : top))
  const last = rejections.findLast((rejection) => rejection.code === code)
  const reasons = [...counts].map(([name, count]) => `${name} × ${count}`).join(', ')
  return {
    code: rejections.length === own.length ? 'no-feasible-shape' : 'no-feasible-combination',
    message: `${outlook}; ${rejections.length} of ${own.length} shape checks failed (${reasons}), e.g. ${last?.message}`,
    ...requiredGpus,
  }
}
