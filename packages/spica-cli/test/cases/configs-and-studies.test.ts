import { readdirSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { parseLedger } from '../../src/study/ledger.js'
import { type Workspace, workspace } from '../support/run-spica.js'

const SPACE = 'search_space: {model_name: meta-llama/Llama-3.1-8B, hardware_sku: h200_sxm, gpu_budget: 2}\n'
const WORKLOAD = 'workload: {isl: 128, osl: 8, concurrency: 4, num_request_ratio: 1}\n'
const SWEEP = 'sweep: {max_rounds: 1, parallel_evals: 4, optimizer: random}\n'
const space = (fields: string) => SPACE.replace('}', `, planner_scaling_policy: [disabled], ${fields}}`)

describe('reported cases of configs and studies', () => {
  let at: Workspace
  beforeAll(() => {
    at = workspace({
      'ym-01.yaml': 'goal: {taget: goodput}\nsweep: [1,2]\n',
      'ym-02.yaml': `${SPACE}workload: {trace_path: a.jsonl, isl: 1024, concurrency: 4, request_rate: 2}\n`,
      'ym-03.yaml': `${SPACE}${WORKLOAD}goal: {target: goodput_per_gpu}\n`,
      'op-09.yaml': `${SPACE.replace('}', ', prefill_hardware_sku: h200_sxm}')}${WORKLOAD}`,
      'op-10.yaml': `${SPACE}${WORKLOAD}goal: {target: cost_per_million_tokens}\n`,
      'op-11.yaml': `${SPACE}${WORKLOAD}sweep: {max_results: 5}\n`,
      'sim-04.yaml': `${SPACE.replace('}', ', backend: [vllm, sglang, trtllm], context_length: 2048}')}${WORKLOAD}goal: {target: goodput, sla: {ttft_ms: 2000, itl_ms: 100}}\nsweep: {max_rounds: 1, parallel_evals: 12, optimizer: random}\n`,
      'tp-07.yaml': `${space('deployment_mode: [agg], context_length: 2048, agg_max_num_seqs: [256]')}workload: {isl: 16, osl: 4, concurrency: 2048, num_request_ratio: 1}\n${SWEEP.replace('4', '1')}`,
      'pl-04.yaml': `${space('deployment_mode: [agg], context_length: 2048')}${WORKLOAD}goal: {target: goodput, sla: {ttft_ms: 0.01, itl_ms: 0.01}}\n${SWEEP}`,
      'op-01.yaml': `${space('deployment_mode: [agg], context_length: 2048').replace('h200_sxm', 'l4').replace('gpu_budget: 2', 'gpu_budget: 1')}workload: {trace_path: long.jsonl}\ngoal: {target: e2e_latency}\n${SWEEP}`,
      'op-01-some.yaml': `${space('deployment_mode: [agg], context_length: 2048').replace('h200_sxm', 'l4').replace('gpu_budget: 2', 'gpu_budget: 1')}workload: {trace_path: some.jsonl}\ngoal: {target: e2e_latency}\n${SWEEP}`,
      'ex-04.yaml': `${space('context_length: 2048')}${WORKLOAD}goal: {target: pareto}\n${SWEEP}`,
      'pl-05.yaml': `${SPACE.replace('}', ', deployment_mode: [agg], context_length: 2048, planner_scaling_policy: [load_180_5]}')}${WORKLOAD}goal: {target: goodput, sla: {ttft_ms: 2000, itl_ms: 100}}\n${SWEEP}`,
      'long.jsonl': '{"timestamp":0,"input_length":126195,"output_length":20}\n',
      'some.jsonl':
        '{"timestamp":0,"input_length":126195,"output_length":20}\n{"timestamp":5,"input_length":900,"output_length":4}\n',
    })
  })
  afterAll(() => at.remove())

  const validate = (name: string) => at.spica('validate', `{}/${name}.yaml`)
  const sweep = (name: string) =>
    at.spica('sweep', '--config', `{}/${name}.yaml`, '--out', `{}/${name}`, '--workers', '1')
  const trials = (name: string) => parseLedger(name, Buffer.from(at.read(`${name}/trials.jsonl`))).records

  it('YM-01, YM-02, YM-03: every mistake at once, with its place and a hint', async () => {
    const first = await validate('ym-01')
    expect(first.code).toBe(2)
    expect(first.stderr + first.stdout).toMatch(
      /ym-01\.yaml:1:8 goal\.taget: is not a known key \(did you mean target\?\)/,
    )
    expect(first.stderr + first.stdout).toMatch(/ym-01\.yaml:2:8 sweep: must be a mapping, not a list/)
    const second = await validate('ym-02')
    for (const key of ['isl', 'concurrency', 'request_rate'])
      expect(second.stderr + second.stdout).toMatch(new RegExp(`workload\\.${key}: is for synthetic traffic`))
    expect((await validate('ym-03')).code).toBe(2)
  })

  it('OP-09, OP-10, OP-11: settings that Spica does not have are refused, never ignored', async () => {
    for (const [name, key] of [
      ['op-09', 'prefill_hardware_sku'],
      ['op-10', 'cost_per_million_tokens'],
      ['op-11', 'max_results'],
    ] as const) {
      const refused = await validate(name)
      expect(refused.code).toBe(2)
      expect(refused.stderr + refused.stdout).toContain(key)
    }
  })

  it('SIM-04: no candidate of the default search space is invalid for its backend; OP-02: the tally adds up', async () => {
    const ran = await sweep('sim-04')
    expect(ran.code).toBe(0)
    const records = trials('sim-04')
    expect(records.filter(({ status }) => status === 'failed' || status === 'unsupported')).toEqual([])
    const { tally } = JSON.parse(at.read('sim-04/study.json')) as { tally: Record<string, number> }
    expect(tally['asked']).toBe(records.length)
  })

  it('TP-07: load above max_num_seqs waits, and the record shows how much', async () => {
    expect((await sweep('tp-07')).code).toBe(0)
    const notes = trials('tp-07')[0]?.notes ?? {}
    const { decode } = notes['timeline'] as { decode: { runningRequests: number[]; waitingRequests: number[] } }
    expect(Math.max(...decode.runningRequests)).toBeLessThanOrEqual(512)
    expect(Math.max(...decode.waitingRequests)).toBeGreaterThan(1000)
  })

  it('PL-04: an SLA that no request meets is said in the summary', async () => {
    const ran = await sweep('pl-04')
    expect(ran.stdout).toMatch(/warning: no candidate serves a single request within the SLA/)
  })

  it('OP-01, OP-05: a candidate that completes nothing has no score, and the study ends with code 1', async () => {
    const ran = await sweep('op-01')
    expect(ran.code).toBe(1)
    expect(JSON.parse(at.read('op-01/candidates.json'))).toEqual([])
    expect(trials('op-01').every(({ score, objectives }) => score === null && objectives === null)).toBe(true)
  })

  it('TR-11: a winner that leaves requests out is flagged', async () => {
    expect((await sweep('op-01-some')).stdout).toMatch(
      /warning: candidate .* cannot serve every request \(1 of 2 are too long/,
    )
  })

  it('EX-04: every point of a front is exported; EX-05: to both API versions', async () => {
    expect((await sweep('ex-04')).code).toBe(0)
    const candidates = JSON.parse(at.read('ex-04/candidates.json')) as { used_gpus: number }[]
    expect(candidates.length).toBeGreaterThan(0)
    expect((await at.spica('export', '{}/ex-04', '--all')).code).toBe(0)
    const folders = readdirSync(at.path('ex-04/export')).filter((name) => /^candidate/.test(name))
    expect(folders).toHaveLength(candidates.length)
    for (const folder of folders) {
      const gpus = ['deployment.yaml', 'deployment-v1alpha1.yaml'].map((file) =>
        JSON.stringify(
          parseAllDocuments(at.read(`ex-04/export/${folder}/${file}`))
            .at(-1)
            ?.toJS(),
        ).match(/gpu"?:"?\d+/g),
      )
      expect(gpus[0]?.length).toBeGreaterThan(0)
      expect(gpus[1]?.length).toBe(gpus[0]?.length)
    }
  })

  it('PL-05: replicas that a planner sets are marked in the manifest', async () => {
    expect((await sweep('pl-05')).code).toBe(0)
    await at.spica('export', '{}/pl-05', '--candidate', '1')
    const manifest = parse(at.read('pl-05/export/candidate-1/deployment.yaml')) as {
      metadata: { annotations: Record<string, string> }
    }
    expect(manifest.metadata.annotations['spica.dev/replicas-set-by']).toBe('planner')
  })
})
