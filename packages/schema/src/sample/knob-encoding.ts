import type { Compat } from '../config/compat.js'
import { plannerTarget } from '../config/goal.js'
import type { SpicaConfig } from '../config/spica-config.js'
import type { Parameter } from '../contracts/optimizer.js'
import type { Backend, DeploymentMode } from '../domain/parallel.js'
import { SpicaError } from '../errors.js'
import { type ScalingPolicyEntry, scalesWorkers } from '../presets/scaling-policies.js'
import { distinctScalingPolicies, filterScalingPolicies } from './scaling-policy-filter.js'
import type { KnobName, Selection } from './selection.js'

export interface KnobOptions {
  /** `dynamo-1.4` also searches knobs that cannot matter for the goal, keeps repeated mappings apart and spaces evenly. */
  readonly compat?: readonly Compat[]
  /** Backends left in the branch. Default: those of the config. */
  readonly backends?: readonly Backend[]
  /** Policies left to try. Default: those of the config that pass `filterScalingPolicies`. */
  readonly policies?: readonly ScalingPolicyEntry[]
}

/** The searched knobs of one study as optimiser parameters, and what is needed to read suggestions back. */
export interface KnobEncoding {
  readonly parameters: readonly Parameter[]
  /** Knobs with one value. */
  readonly constants: Readonly<Partial<Selection>>
  /** Values behind categorical parameters, in the order of their categories. */
  readonly choices: Readonly<Record<string, readonly unknown[]>>
  /** Every knob, in the order of selections. */
  readonly order: readonly KnobName[]
}

type KnobConfig = Pick<SpicaConfig, 'search_space' | 'workload' | 'goal'>

/**
 * Encodes the active knobs of a deployment mode. Texts become categories, numbers ascending discrete values, lists with
 * mappings categories named by index, a range a float with its middle as default; a single value is a constant.
 * Repeated values are dropped.
 */
export function knobParameters(config: KnobConfig, mode: DeploymentMode, options: KnobOptions = {}): KnobEncoding {
  const compat = options.compat?.includes('dynamo-1.4') === true
  const parameters: Parameter[] = []
  const constants: Record<string, unknown> = {}
  const choices: Record<string, readonly unknown[]> = {}
  const knobs = activeKnobs(config, mode, options)
  for (const [name, listed] of knobs) {
    const values = distinctValues(listed, compat)
    if (values.length === 0) throw new SpicaError('empty', 'no-value-left', `no value is left to try for ${name}`)
    if (values.length === 1) {
      constants[name] = values[0]
    } else if (values.every((value) => typeof value === 'number')) {
      parameters.push(discrete(name, values, compat))
    } else {
      const named = values.every((value) => typeof value === 'string')
      choices[name] = values
      const categories = named ? values : values.map((_, index) => String(index))
      parameters.push({ name, kind: 'categorical', values: categories })
    }
  }
  const order = knobs.map(([name]) => name)
  const load = config.workload.kv_load_ratio
  if (typeof load === 'object' && load !== null) {
    const [min, max] = load
    parameters.push({ name: 'kv_load_ratio', kind: 'float', min, max, default: (min + max) / 2 })
    order.push('kv_load_ratio')
  } else if (load !== null) {
    constants['kv_load_ratio'] = load
    order.push('kv_load_ratio')
  }
  return { parameters, constants: constants as Partial<Selection>, choices, order }
}

/** The selection behind suggested parameter values; parameters of other kinds are left alone. */
export function selectionFromParameters(
  encoding: KnobEncoding,
  values: Readonly<Record<string, number | string>>,
): Selection {
  const { constants, choices, parameters, order } = encoding
  const selection: Record<string, unknown> = {}
  for (const name of order) {
    if (Object.hasOwn(constants, name)) {
      selection[name] = constants[name]
      continue
    }
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    const parameter = parameters.find((candidate) => candidate.name === name)
    const known = parameter !== undefined && value !== undefined && contains(parameter, value)
    if (!known) {
      throw new SpicaError('internal', 'unknown-knob-value', `the optimiser gave no usable value for ${name}: ${value}`)
    }
    const index = parameter.kind === 'categorical' ? parameter.values.indexOf(String(value)) : -1
    selection[name] = index < 0 ? value : choices[name]?.[index]
  }
  return selection as unknown as Selection
}

function contains(parameter: Parameter, value: number | string): boolean {
  if (parameter.kind === 'categorical') return typeof value === 'string' && parameter.values.includes(value)
  if (typeof value !== 'number') return false
  if (parameter.kind === 'discrete') return parameter.values.includes(value)
  return value >= parameter.min && value <= parameter.max
}

type Knob = [name: KnobName, values: readonly unknown[]]

function activeKnobs({ search_space: space, goal }: KnobConfig, mode: DeploymentMode, options: KnobOptions): Knob[] {
  const keepInert = options.compat?.includes('dynamo-1.4') === true
  const target = plannerTarget(goal.target)
  const filtered = options.policies ?? filterScalingPolicies(space.planner_scaling_policy, goal).kept
  const policies = keepInert ? filtered : distinctScalingPolicies(filtered, target)
  const knobs: Knob[] = [
    ['deployment_mode', [mode]],
    ['backend', options.backends ?? space.backend],
    ['router_mode', space.router_mode],
  ]
  if (space.router_mode.includes('kv_router')) {
    knobs.push(['overlap_score_credit', space.overlap_score_credit], ['prefill_load_scale', space.prefill_load_scale])
    if (space.num_g2_blocks > 0) {
      knobs.push(['host_cache_hit_weight', space.host_cache_hit_weight])
      knobs.push(['disk_cache_hit_weight', space.disk_cache_hit_weight])
    }
    knobs.push(['router_temperature', space.router_temperature])
  }
  knobs.push(['planner_scaling_policy', policies])
  if (policies.some(scalesWorkers)) {
    const searched = keepInert || target === 'sla'
    const { planner_fpm_sampling: sampling, planner_load_sensitivity: sensitivity } = space
    knobs.push(['planner_fpm_sampling', searched ? sampling : usualValue(sampling)])
    knobs.push(['planner_load_sensitivity', searched ? sensitivity : usualValue(sensitivity)])
  }
  const roles = mode === 'agg' ? (['agg'] as const) : (['prefill', 'decode'] as const)
  for (const role of roles) {
    knobs.push([`${role}_max_num_batched_tokens`, space[`${role}_max_num_batched_tokens`]])
    knobs.push([`${role}_max_num_seqs`, space[`${role}_max_num_seqs`]])
  }
  return knobs
}

/** The value of a knob that makes no difference: the preset `default` where listed, else the first. */
function usualValue<T>(listed: readonly (T | 'default')[]): readonly (T | 'default')[] {
  return listed.includes('default') ? ['default'] : listed.slice(0, 1)
}

function distinctValues(listed: readonly unknown[], keepRepeatedMappings: boolean): readonly unknown[] {
  if (keepRepeatedMappings && listed.some((value) => typeof value === 'object')) return listed
  const seen = new Set<string>()
  return listed.filter((value) => {
    const key = canonical(value)
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}

function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return JSON.stringify(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
}

/** Values over a decade or more are spaced by ratio, unless `even`. */
function discrete(name: string, values: readonly number[], even: boolean): Parameter {
  const ascending = values.toSorted((a, b) => a - b)
  const least = ascending[0]!
  const scale = !even && least > 0 && ascending.at(-1)! / least >= 10 ? 'log' : 'linear'
  return { name, kind: 'discrete', values: ascending, scale }
}
