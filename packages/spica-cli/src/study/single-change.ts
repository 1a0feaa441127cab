import { shapeName } from '@spica/parallel-enum'
import { type HardwareSpec, type Role, SEARCH_MENUS, type SearchSpaceConfig } from '@spica/schema'
import { type Fit, type FitSubject, findFit, findShapeFit, rolesOfMode, type ShapeQuestion } from './deployment-fit.js'

/** What kind of setting a change is about. */
export type ChangeKind =
  | 'context-length'
  | 'gpu-budget'
  | 'min-gpu-budget'
  | 'memory-fraction'
  | 'batching'
  | 'backend'
  | 'deployment-mode'
  | 'draft-tokens'
  | 'parallel-configs'
  | 'perf-model'
  | 'hardware'

/** One change that, alone, makes something fit. */
export interface SingleChange {
  readonly kind: ChangeKind
  /** New values by their path in the config. */
  readonly settings: Readonly<Record<string, unknown>>
  /** The change in words, e.g. `context_length: 10213 or less (now 131072)`. */
  readonly words: string
  /** What fits then. */
  readonly fit: Fit
}

export interface SingleChangeOptions {
  /** Asks about this shape alone. Default: about any deployment. */
  readonly question?: ShapeQuestion
  /** Known GPUs to fall back on. Default none. */
  readonly otherHardware?: readonly HardwareSpec[]
  /** True when pass times come from measured tables, which the roofline could stand in for. Default false. */
  readonly usesTables?: boolean
}

/** Without a request length (a trace), contexts below this are of no use. */
const LEAST_CONTEXT = 1024
/** Engines run out of memory above it. */
const MOST_MEMORY_FRACTION = 0.95
/** GPUs of one worker of each role, for every pair of worker sizes. */
const BUDGETS = [1, 2, 3, 4, 5, 6, 8, 9, 10, 12, 16, 17, 18, 20, 24, 32]

/**
 * The single changes that make something fit, in this order: a shorter context (the longest that fits), a larger budget (the
 * smallest), a lower minimum of GPUs, more of the memory (the least more, up to 0.95), smaller batches, other backends, the other
 * deployment mode, no draft tokens, no listed configurations, the roofline where tables are missing, and a GPU with as
 * much memory or more (the smallest). Empty when no single one is enough, or when everything fits already.
 */
export function singleChanges(subject: FitSubject, options: SingleChangeOptions = {}): SingleChange[] {
  const { question } = options
  const fitOf = (patch: Partial<FitSubject>, asked: Partial<ShapeQuestion> = {}): Fit | null => {
    const changed = { ...subject, ...patch }
    return question === undefined ? findFit(changed) : findShapeFit(changed, { ...question, ...asked })
  }
  if (fitOf({}) !== null) return []
  const probe: Probe = { subject, question, fitOf, with: (patch) => fitOf({ space: { ...subject.space, ...patch } }) }
  return [
    ...contextLength(probe),
    ...gpuBudget(probe),
    ...minGpuBudget(probe),
    ...memoryFraction(probe),
    ...batching(probe),
    ...backends(probe),
    ...deploymentMode(probe),
    ...draftTokens(probe),
    ...parallelConfigs(probe),
    ...(options.usesTables === true ? perfModel(probe) : []),
    ...hardware(probe, options.otherHardware ?? []),
  ]
}

/** The changes for people, one a line: `with gpu_budget: 8 something fits: agg tp=8,… on vllm, 8 GPUs`. */
export function changesText(changes: readonly SingleChange[]): string {
  return oneALine(changes.map(({ words, fit }) => `with ${words} something fits: ${fitText(fit)}`))
}

/** The same for a question about one shape: `with gpu_budget: 16 this shape is legal on vllm as prefill, decode`. */
export function shapeChangesText(changes: readonly SingleChange[]): string {
  const roles = ({ workers }: Fit) => workers.map(({ role }) => role).join(', ')
  return oneALine(
    changes.map(({ words, fit }) => `with ${words} this shape is legal on ${fit.backend} as ${roles(fit)}`),
  )
}

function oneALine(lines: readonly string[]): string {
  return lines.length === 1 ? (lines[0] as string) : ['any one of these is enough', ...lines].join('\n  ')
}

/** What fits, in words. */
export function fitText({ workers, backend, gpus }: Fit): string {
  const parts = workers.map(({ role, shape }) => `${role} ${shapeName(shape)}`)
  return `${parts.join(' + ')} on ${backend}, ${gpus} GPU${gpus === 1 ? '' : 's'}`
}

interface Probe {
  readonly subject: FitSubject
  readonly question: ShapeQuestion | undefined
  readonly fitOf: (patch: Partial<FitSubject>, asked?: Partial<ShapeQuestion>) => Fit | null
  readonly with: (patch: Partial<SearchSpaceConfig>) => Fit | null
}

function space(settings: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(settings).map(([key, value]) => [`search_space.${key}`, value]))
}

/** Roles in question. */
function rolesAsked({ subject, question }: Probe): readonly Role[] {
  return question?.roles ?? [...new Set(subject.space.deployment_mode.flatMap(rolesOfMode))]
}

function contextLength(probe: Probe): SingleChange[] {
  const { space: current, model, requestTokens } = probe.subject
  const now = current.context_length ?? model.contextLength
  const least = Math.max(1, requestTokens ?? Math.min(LEAST_CONTEXT, now - 1))
  const tokens = greatest(least, now - 1, (context_length) => probe.with({ context_length }) !== null)
  if (tokens === null) return []
  const origin = current.context_length === null ? ", the model's maximum" : ''
  return [
    {
      kind: 'context-length',
      settings: space({ context_length: tokens }),
      words: `context_length: ${tokens} or less (now ${now}${origin})`,
      fit: probe.with({ context_length: tokens }) as Fit,
    },
  ]
}

function gpuBudget(probe: Probe): SingleChange[] {
  const now = probe.subject.space.gpu_budget
  const least = probe.subject.space.min_gpu_budget ?? 1
  for (const gpu_budget of [...BUDGETS.filter((gpus) => gpus > now), ...(least > 1 ? multiplesFrom(now) : [])]) {
    const fit = probe.with({ gpu_budget })
    if (fit !== null)
      return [{ kind: 'gpu-budget', settings: space({ gpu_budget }), words: `gpu_budget: ${gpu_budget}`, fit }]
  }
  return []
}

/** The next multiples of 2, 4, 8 and 16, for a minimum that the present budget cannot meet. */
function multiplesFrom(budget: number): number[] {
  return [2, 4, 8, 16].map((size) => (Math.floor(budget / size) + 1) * size).sort((a, b) => a - b)
}

function minGpuBudget(probe: Probe): SingleChange[] {
  const now = probe.subject.space.min_gpu_budget
  const fit = now === null ? null : probe.with({ min_gpu_budget: null })
  if (fit === null) return []
  return [
    { kind: 'min-gpu-budget', settings: space({ min_gpu_budget: null }), words: `no min_gpu_budget (now ${now})`, fit },
  ]
}

function memoryFraction(probe: Probe): SingleChange[] {
  const current = probe.subject.space
  const fields = rolesAsked(probe).map((role) => `${role}_gpu_memory_utilization` as const)
  const raised = (hundredths: number, of: readonly (typeof fields)[number][]) =>
    Object.fromEntries(
      of.filter((field) => current[field] < hundredths / 100).map((field) => [field, hundredths / 100]),
    )
  const lowest = Math.floor(Math.min(...fields.map((field) => current[field])) * 100) + 1
  const most = Math.round(MOST_MEMORY_FRACTION * 100)
  const found = greatest(-most, -lowest, (negative) => probe.with(raised(-negative, fields)) !== null)
  if (found === null) return []
  const needed = fields.reduce<readonly (typeof fields)[number][]>((kept, field) => {
    const without = kept.filter((one) => one !== field)
    return probe.with(raised(-found, without)) === null ? kept : without
  }, fields)
  const settings = raised(-found, needed)
  const words = Object.entries(settings).map(
    ([field, value]) => `${field}: ${value} (now ${current[field as keyof SearchSpaceConfig] as number})`,
  )
  return [
    {
      kind: 'memory-fraction',
      settings: space(settings),
      words: words.join(' and '),
      fit: probe.with(settings) as Fit,
    },
  ]
}

/** The smallest value of each menu, where it is not listed yet. */
function batching(probe: Probe): SingleChange[] {
  const changes: SingleChange[] = []
  for (const knob of ['max_num_batched_tokens', 'max_num_seqs'] as const) {
    const settings: Record<string, number[]> = {}
    const words: string[] = []
    for (const role of rolesAsked(probe)) {
      const field = `${role}_${knob}` as const
      const smallest = Math.min(...SEARCH_MENUS[field])
      const now = Math.min(...probe.subject.space[field])
      if (smallest >= now) continue
      settings[field] = [smallest]
      words.push(`${field}: [${smallest}] (now from ${now})`)
    }
    const fit = words.length === 0 ? null : probe.with(settings)
    if (fit !== null) changes.push({ kind: 'batching', settings: space(settings), words: words.join(' and '), fit })
  }
  return changes
}

function backends(probe: Probe): SingleChange[] {
  const listed = probe.question?.backends ?? probe.subject.space.backend
  return SEARCH_MENUS.backend
    .filter((backend) => !listed.includes(backend))
    .flatMap((backend): SingleChange[] => {
      const patch = { space: { ...probe.subject.space, backend: [backend] } }
      const fit = probe.fitOf(patch, { backends: [backend] })
      if (fit === null) return []
      return [{ kind: 'backend', settings: space({ backend: [backend] }), words: `backend: [${backend}]`, fit }]
    })
}

function deploymentMode(probe: Probe): SingleChange[] {
  if (probe.subject.space.parallel_configs.length > 0) return []
  return SEARCH_MENUS.deployment_mode
    .filter((mode) => !probe.subject.space.deployment_mode.includes(mode))
    .flatMap((mode): SingleChange[] => {
      const patch = { space: { ...probe.subject.space, deployment_mode: [mode] } }
      const fit = probe.fitOf(patch, { roles: rolesOfMode(mode) })
      if (fit === null) return []
      const settings = space({ deployment_mode: [mode] })
      return [{ kind: 'deployment-mode', settings, words: `deployment_mode: [${mode}]`, fit }]
    })
}

function draftTokens(probe: Probe): SingleChange[] {
  const now = probe.subject.space.aic_nextn
  const fit = now === null ? null : probe.with({ aic_nextn: null })
  if (fit === null) return []
  return [{ kind: 'draft-tokens', settings: space({ aic_nextn: null }), words: `no aic_nextn (now ${now})`, fit }]
}

function parallelConfigs(probe: Probe): SingleChange[] {
  const listed = probe.subject.space.parallel_configs.length
  const fit = listed === 0 || probe.question !== undefined ? null : probe.with({ parallel_configs: [] })
  if (fit === null) return []
  const words = `no parallel_configs (now ${listed} listed), so that all shapes are tried,`
  return [{ kind: 'parallel-configs', settings: space({ parallel_configs: [] }), words, fit }]
}

function perfModel(probe: Probe): SingleChange[] {
  const fit = probe.fitOf({ isTimed: () => true })
  return fit === null ? [] : [rooflineChange(fit)]
}

/** Pass times without measured tables. */
export function rooflineChange(fit: Fit): SingleChange {
  const words = 'perf.model: roofline (no measured tables needed)'
  return { kind: 'perf-model', settings: { 'perf.model': 'roofline' }, words, fit }
}

/** The known GPU with the least memory, no less than the present one's. */
function hardware(probe: Probe, others: readonly HardwareSpec[]): SingleChange[] {
  const gib = (gpu: HardwareSpec) => Math.round(gpu.gpu.memoryCapacityBytes / 2 ** 30)
  const now = probe.subject.hardware
  const larger = others
    .filter((gpu) => gpu.sku !== now.sku && gpu.gpu.memoryCapacityBytes >= now.gpu.memoryCapacityBytes)
    .sort((a, b) => a.gpu.memoryCapacityBytes - b.gpu.memoryCapacityBytes)
  for (const gpu of larger) {
    const fit = probe.fitOf({ hardware: gpu })
    if (fit === null) continue
    const words = `hardware_sku: ${gpu.sku} (${gib(gpu)} GiB, now ${gib(now)})`
    return [{ kind: 'hardware', settings: space({ hardware_sku: gpu.sku }), words, fit }]
  }
  return []
}

/** Greatest whole number from `low` to `high` that passes, where all below a passing one pass; null when `low` fails. */
function greatest(low: number, high: number, passes: (value: number) => boolean): number | null {
  if (low > high || !passes(low)) return null
  let good = low
  let bad = high + 1
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2)
    if (passes(middle)) good = middle
    else bad = middle
  }
  return good
}
