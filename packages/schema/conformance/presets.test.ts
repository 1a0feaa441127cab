import { describe, expect, it } from 'vitest'
import { hasGolden, readGoldenJson } from '../../../conformance/golden.js'
import {
  FPM_SAMPLING_PRESETS,
  filterScalingPolicies,
  type GoalTarget,
  isMaximized,
  LOAD_PREDICTOR_PRESETS,
  LOAD_SENSITIVITY_PRESETS,
  loadConfigValue,
  PLANNER_SCALING_POLICIES,
  plannerTarget,
  resolveLoadPredictor,
  type ScalarTarget,
  SEARCH_MENUS,
  throughputIntervals,
} from '../src/index.js'

type Presets = Record<string, Record<string, unknown>>

describe.skipIf(!hasGolden)('planner/presets.json', () => {
  const golden = hasGolden ? readGoldenJson<Presets>('planner/presets.json') : {}
  const config = (search_space: object = {}, goal: object = {}) =>
    loadConfigValue({
      search_space: { model_name: 'm', hardware_sku: 's', ...search_space },
      workload: { isl: 1, osl: 1, request_rate: 1, num_request_ratio: 1 },
      goal,
    })

  it('has the same presets in the same order', () => {
    const tables = {
      scaling_policies: PLANNER_SCALING_POLICIES,
      fpm_sampling: FPM_SAMPLING_PRESETS,
      load_sensitivity: LOAD_SENSITIVITY_PRESETS,
      load_predictors: LOAD_PREDICTOR_PRESETS,
    }
    let count = 0
    for (const [name, table] of Object.entries(tables)) {
      expect(JSON.stringify(table, null, 1)).toBe(JSON.stringify(golden[name], null, 1))
      count += Object.keys(table).length
    }
    for (const preset of Object.values(LOAD_PREDICTOR_PRESETS)) expect(resolveLoadPredictor(preset)).toEqual(preset)
    console.log(`presets: ${count} of ${count}`)
  })

  it('has the same menus and defaults', () => {
    expect(SEARCH_MENUS).toEqual(golden['search_choices'])
    const result = config()
    const defaults = golden['defaults'] as Presets
    expect(result.ok && result.config.search_space).toEqual(defaults['search_space'])
    expect(result.ok && result.config.goal).toEqual(defaults['goal'])
    expect(result.ok && result.config.workload).toEqual(defaults['workload'])
    expect(result.ok && result.config.sweep).toMatchObject(defaults['sweep'] as object)
  })

  it('filters policies and finds intervals as upstream does', () => {
    const names = SEARCH_MENUS.planner_scaling_policy
    const { kept, dropped } = filterScalingPolicies(names, { target: 'throughput', sla: null })
    const expected = golden['filter_no_throughput']!
    expect(kept).toEqual(expected['kept'])
    expect(dropped.map(({ policy }) => policy)).toEqual(expected['dropped'])
    expect(throughputIntervals(names)).toEqual(golden['throughput_intervals_all'])
    expect(throughputIntervals(kept)).toEqual(golden['throughput_intervals_load_only'])
  })

  it('has the same keys of mappings, required and known', () => {
    for (const [field, keys] of Object.entries(golden['composite_dict_keys']!) as [string, string[]][]) {
      const required = golden['composite_required']![field] as string[]
      const empty = config({ [field]: [{}] })
      const missing = empty.ok ? [] : empty.issues.map(({ location }) => location.path?.split('.').at(-1))
      expect(missing.toSorted(), field).toEqual(required)
      const all = config({ [field]: [Object.fromEntries(keys.map((key) => [key, []]))] })
      const codes = all.ok ? [] : all.issues.map(({ code }) => code)
      expect(codes, field).toHaveLength(keys.length)
      expect(codes, field).not.toContain('unknown-key')
    }
  })

  it('steers and signs every target alike', () => {
    for (const [target, steered] of Object.entries(golden['planner_optimization_target']!)) {
      expect(plannerTarget(target as GoalTarget)).toBe(steered)
    }
    for (const [target, up] of Object.entries(golden['maximize']!)) expect(isMaximized(target as ScalarTarget)).toBe(up)
  })
})
