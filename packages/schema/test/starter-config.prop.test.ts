import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseConfigText, starterConfigYaml } from '../src/index.js'

const line = (maxLength: number) => fc.string({ minLength: 1, maxLength }).filter((text) => /\S/.test(text))

const options = fc.record(
  {
    modelName: fc.oneof(line(40), fc.constantFrom('null', '1e3', '.5', 'a: b', '- x', '#', 'm/x')),
    hardwareSku: line(10),
    gpuBudget: fc.integer({ min: 1, max: 512 }),
    deploymentModes: fc.subarray(['agg', 'disagg'] as const, { minLength: 1 }),
    backends: fc.subarray(['vllm', 'sglang', 'trtllm'] as const, { minLength: 1 }),
    target: fc.constantFrom('throughput', 'e2e_latency', 'goodput', 'goodput_per_gpu', 'pareto' as const),
    tracePath: line(20),
    isl: fc.integer({ min: 1, max: 100_000 }),
    osl: fc.integer({ min: 1, max: 100_000 }),
    concurrency: fc.integer({ min: 1, max: 1000 }),
    schemaPath: fc.string({ maxLength: 20 }),
  },
  { requiredKeys: [] },
)

describe('starterConfigYaml', () => {
  it('loads without issues or warnings for any usable options', () => {
    fc.assert(
      fc.property(options, (chosen) => {
        const text = starterConfigYaml(chosen)
        const result = parseConfigText(text)
        expect(result.ok ? result.warnings : result.issues).toEqual([])
        if (!result.ok) return
        const { search_space, workload, goal } = result.config
        if (chosen.modelName !== undefined) expect(search_space.model_name).toBe(chosen.modelName)
        if (chosen.hardwareSku !== undefined) expect(search_space.hardware_sku).toBe(chosen.hardwareSku)
        if (chosen.tracePath !== undefined) expect(workload.trace_path).toBe(chosen.tracePath)
        if (chosen.target !== undefined) expect(goal.target).toBe(chosen.target)
        expect(search_space.gpu_budget).toBe(chosen.gpuBudget ?? 8)
      }),
      { numRuns: 300 },
    )
  })

  it('takes a rate and an SLA', () => {
    const text = starterConfigYaml({ requestRate: 2.5, target: 'goodput', sla: { e2e_ms: 3000 } })
    const expected = {
      workload: { request_rate: 2.5, concurrency: null },
      goal: { sla: { e2e_ms: 3000, ttft_ms: null } },
    }
    expect(parseConfigText(text)).toMatchObject({ ok: true, config: expected })
  })
})
