import { allWorkerShapes, checkShape, enumerate, explainShape, type RuleSet } from '@spica/parallel-enum'
import {
  type Backend,
  type Compat,
  type DeploymentMode,
  gpusPerWorker,
  type HardwareSpec,
  isMoe,
  type ModelSpec,
  type Role,
  type SearchSpaceConfig,
  SpicaError,
  type WorkerShape,
} from '@spica/schema'
import { listedSettings, shapeRules } from './shape-rules.js'

/** What decides whether any deployment fits. */
export interface FitSubject {
  readonly space: SearchSpaceConfig
  readonly model: ModelSpec
  readonly hardware: HardwareSpec
  readonly compat: readonly Compat[]
  /** Tokens of one request, prompt and answer; null when a trace decides. */
  readonly requestTokens: number | null
  /** True when pass times of the backend are available on this GPU. */
  readonly isTimed: (hardware: HardwareSpec, backend: Backend) => boolean
}

/** A question about one worker shape alone, instead of about whole deployments. */
export interface ShapeQuestion {
  readonly shape: WorkerShape
  readonly backends: readonly Backend[]
  readonly roles: readonly Role[]
}

/** A smallest deployment that fits, one worker of each role; or the worker that was asked about, in each role it is legal in. */
export interface Fit {
  readonly backend: Backend
  readonly workers: readonly { readonly role: Role; readonly shape: WorkerShape }[]
  /** GPUs of the deployment, or of the one worker. */
  readonly gpus: number
}

/** The roles whose workers a deployment mode has. */
export function rolesOfMode(mode: DeploymentMode): readonly Role[] {
  return mode === 'agg' ? ['agg'] : ['prefill', 'decode']
}

/** Tokens the cache of one rank has to exceed: the longest sequence, or all but the last token of a request. */
export function sequenceTokens({ space, model, requestTokens }: FitSubject): number {
  return Math.max(space.context_length ?? model.contextLength, (requestTokens ?? 0) - 1)
}

/**
 * The smallest deployment that the rules allow and whose caches hold the longest sequence and a request of the load with the
 * roomiest of the listed batching limits; null when there is none.
 */
export function findFit(subject: FitSubject): Fit | null {
  const { space } = subject
  if (space.parallel_configs.length > 0) return pinnedFit(subject)
  let best: Fit | null = null
  for (const mode of new Set(space.deployment_mode)) {
    for (const backend of new Set(space.backend)) {
      const fit = isUsable(subject, mode, backend) ? smallestOf(subject, mode, backend) : null
      if (fit !== null && (best === null || fit.gpus < best.gpus)) best = fit
    }
  }
  return best
}

/** The first backend on which one shape is legal, with the roles it is legal in; null when it is nowhere. */
export function findShapeFit(subject: FitSubject, { shape, backends, roles }: ShapeQuestion): Fit | null {
  const rules = roomiestRules(subject)
  const structure = structureOf(subject)
  for (const backend of backends) {
    if (!subject.isTimed(subject.hardware, backend)) continue
    const legal = roles.filter((role) => explainShape(shape, backend, role, structure, rules).ok)
    if (legal.length > 0)
      return { backend, workers: legal.map((role) => ({ role, shape })), gpus: gpusPerWorker(shape) }
  }
  return null
}

function isUsable({ compat, hardware, isTimed }: FitSubject, mode: DeploymentMode, backend: Backend): boolean {
  if (mode === 'disagg' && backend === 'trtllm' && compat.includes('dynamo-1.4')) return false
  return isTimed(hardware, backend)
}

function smallestOf(subject: FitSubject, mode: DeploymentMode, backend: Backend): Fit | null {
  const { gpu_budget: most, min_gpu_budget: least } = subject.space
  const rules = roomiestRules(subject)
  const shapes = allWorkerShapes(most, { ...structureOf(subject), backend })
  const legal = rolesOfMode(mode).map((role) => {
    const bySize = new Map<number, WorkerShape>()
    for (const shape of shapes) {
      const gpus = gpusPerWorker(shape)
      if (!bySize.has(gpus) && checkShape(shape, backend, role, rules).ok) bySize.set(gpus, shape)
    }
    return [...bySize].map(([gpus, shape]) => ({ role, shape, gpus }))
  })
  const [first = [], second] = legal
  const teams = second === undefined ? first.map((one) => [one]) : first.flatMap((a) => second.map((b) => [a, b]))
  let best: Fit | null = null
  for (const team of teams) {
    const gpus = team.reduce((sum, worker) => sum + worker.gpus, 0)
    const sizes = team.map((worker) => worker.gpus)
    if (gpus > most || mostUsed(sizes, most) < (least ?? 1) || (best !== null && gpus >= best.gpus)) continue
    best = { backend, workers: team.map(({ role, shape }) => ({ role, shape })), gpus }
  }
  return best
}

/** Most GPUs of the budget that replicas of these workers, at least one of each, can fill. */
function mostUsed([a = 1, b]: readonly number[], budget: number): number {
  if (b === undefined) return Math.floor(budget / a) * a
  // The sizes are powers of two: what the larger leaves over, the smaller fills best.
  const large = Math.max(a, b)
  const small = Math.min(a, b)
  const larger = Math.max(1, Math.floor((budget - small) / large))
  return larger * large + Math.floor((budget - larger * large) / small) * small
}

/** The listed configurations are judged as a whole: one that no backend can run is refused. */
function pinnedFit(subject: FitSubject): Fit | null {
  const { space, model, compat } = subject
  try {
    const { branches } = enumerate({
      deploymentModes: space.deployment_mode,
      backends: space.backend,
      isMoe: isMoe(model),
      gpuBudget: space.gpu_budget,
      minGpuBudget: space.min_gpu_budget,
      pins: space.parallel_configs,
      ruleSet: roomiestRules(subject),
      exclude: (mode, backend) =>
        isUsable(subject, mode, backend) ? null : { code: 'not-usable', message: 'not usable' },
      compat,
    })
    const [{ pool } = { pool: null }] = branches
    const backend = pool?.backendsAt(0)[0]
    if (pool === null || backend === undefined) return null
    const config = pool.at(0)
    const workers =
      config.mode === 'agg'
        ? [{ role: 'agg' as const, shape: config.agg }]
        : [
            { role: 'prefill' as const, shape: config.prefill },
            { role: 'decode' as const, shape: config.decode },
          ]
    return { backend, workers, gpus: workers.reduce((sum, { shape }) => sum + gpusPerWorker(shape), 0) }
  } catch (error) {
    if (error instanceof SpicaError && error.kind !== 'internal') return null
    throw error
  }
}

function structureOf({ space, model, compat }: FitSubject) {
  return {
    isMoe: isMoe(model),
    gpuBudget: space.gpu_budget,
    moeBackend: null,
    allowMoePureTp: true,
    singleGpuMoe: !compat.includes('aic-0.11'),
  }
}

/** The rules, asked about the smallest batching limits only: larger ones leave less room for the cache. */
function roomiestRules(subject: FitSubject): RuleSet {
  const { space, model, hardware, compat } = subject
  const rules = shapeRules(space, model, hardware, compat)
  return {
    ...rules,
    contextFor: (backend, role) => ({
      ...rules.contextFor(backend, role),
      maxSequenceTokens: sequenceTokens(subject),
      engineSettings: roomiest(listedSettings(space, role)),
    }),
  }
}

function roomiest<T extends { maxNumBatchedTokens: number; maxNumSeqs: number }>(settings: readonly T[]): readonly T[] {
  const [first] = settings
  if (first === undefined) return []
  const least = (pick: (one: T) => number) => settings.reduce((low, one) => Math.min(low, pick(one)), Infinity)
  return [
    {
      ...first,
      maxNumBatchedTokens: least((one) => one.maxNumBatchedTokens),
      maxNumSeqs: least((one) => one.maxNumSeqs),
    },
  ]
}
