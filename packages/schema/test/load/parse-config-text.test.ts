import { describe, expect, it } from 'vitest'
import { formatIssue, parseConfigText } from '../../src/index.js'
import { VALID_CONFIG_TEXT } from './valid-config.js'

const HEAD = 'search_space: {model_name: m/x, hardware_sku: h200_sxm}\n'
const RATE = 'workload: {isl: 1, osl: 1, request_rate: 1, num_request_ratio: 1}\n'

function messages(text: string): string[] {
  const result = parseConfigText(text, { file: 'sweep.yaml' })
  return result.ok ? [] : result.issues.map(formatIssue)
}

describe('parseConfigText', () => {
  it('fills defaults in and freezes the config', () => {
    const result = parseConfigText(VALID_CONFIG_TEXT)
    expect(result).toMatchObject({ ok: true, warnings: [] })
    if (!result.ok) return
    expect(result.config.search_space).toMatchObject({ gpu_budget: 16, agg_block_size: 64, min_endpoint: null })
    expect(result.config.sweep).toMatchObject({ max_eval_seconds: 600, optimizer: 'random', random_seed: 7 })
    expect(result.config.perf).toEqual({ model: 'table', database: 'db', points: null })
    expect(Object.isFrozen(result.config.search_space.backend)).toBe(true)
  })

  it('says which fields the user wrote', () => {
    const result = parseConfigText(`${HEAD}${RATE}sweep: {random_seed: 1}\n`)
    const workload = ['workload.isl', 'workload.osl', 'workload.request_rate', 'workload.num_request_ratio']
    const names = ['search_space.model_name', 'search_space.hardware_sku']
    expect(result.ok && result.given).toEqual([...names, ...workload, 'sweep.random_seed'])
  })

  it('reads JSON too', () => {
    const config = {
      search_space: { model_name: 'm', hardware_sku: 's' },
      workload: { trace_path: '/t.jsonl' },
      goal: { target: 'pareto' },
    }
    expect(parseConfigText(JSON.stringify(config))).toMatchObject({ ok: true })
  })

  it('gives a front over synthetic traffic the whole KV capacity as load', () => {
    const text = `${HEAD}workload: {isl: 1, osl: 1, num_request_ratio: 1}\ngoal: {target: pareto}\n`
    expect(parseConfigText(text)).toMatchObject({ ok: true, config: { workload: { kv_load_ratio: [0, 1] } } })
  })

  it('reports all mistakes at once, in the order of the text', () => {
    const text = `search_space:
  model_name: m/x
  gpu_buget: 8
  gpu_budget: "256"
  backend: [vllm, vlm]
  deployment_mode: agg
  agg_enable_prefix_caching: 1
  agg_block_size: 0
  planner_fpm_sampling: [smal, {max_num_fpm_samples: 10, fpm_sample_bucket_size: 15}]
  isl: 5
workload: {trace_path: a.jsonl, isl: 1024, concurrency: 4}
goal: {taget: goodput, sla: {ttft: 3}}
max_rounds: 3
sweep: [1, 2]
`
    expect(messages(text)).toEqual([
      'sweep.yaml:1:1 search_space.hardware_sku: is required',
      'sweep.yaml:3:3 search_space.gpu_buget: is not a known key (did you mean gpu_budget?)',
      'sweep.yaml:4:15 search_space.gpu_budget: must be a number, not the text "256" (write 256, without quotes)',
      'sweep.yaml:5:19 search_space.backend.1: must be one of vllm, sglang, trtllm, not the text "vlm" (did you mean vllm?)',
      'sweep.yaml:6:20 search_space.deployment_mode: must be a list, not the text "agg" (write [agg])',
      'sweep.yaml:7:30 search_space.agg_enable_prefix_caching: must be true or false, not 1 (write true)',
      'sweep.yaml:8:19 search_space.agg_block_size: must be at least 1, not 0',
      'sweep.yaml:9:26 search_space.planner_fpm_sampling.0: must be one of small, default, large, fine, not the text "smal" (did you mean small?)',
      'sweep.yaml:9:82 search_space.planner_fpm_sampling.1.fpm_sample_bucket_size: must be a perfect square, not 15 (the nearest is 16)',
      'sweep.yaml:10:3 search_space.isl: is not a known key (isl belongs under workload)',
      'sweep.yaml:11:38 workload.isl: is for synthetic traffic; not allowed with trace_path',
      'sweep.yaml:11:57 workload.concurrency: is for synthetic traffic; not allowed with trace_path',
      'sweep.yaml:12:8 goal.taget: is not a known key (did you mean target?)',
      'sweep.yaml:12:30 goal.sla.ttft: is not a known key (did you mean ttft_ms?)',
      'sweep.yaml:13:1 max_rounds: is not a known key (max_rounds belongs under sweep)',
      'sweep.yaml:14:8 sweep: must be a mapping, not a list',
    ])
  })

  it.each([
    ['sweep: {parallel_evals: true}', '3:25 sweep.parallel_evals: must be a number, not true'],
    ['sweep: {parallel_evals: 8.5}', '3:25 sweep.parallel_evals: must be a whole number, not 8.5'],
    ['sweep: {max_eval_seconds: .inf}', '3:27 sweep.max_eval_seconds: must be a finite number, not Infinity'],
    ['sweep: {max_eval_seconds: .nan}', '3:27 sweep.max_eval_seconds: must be a finite number, not NaN'],
    [
      'sweep: {max_rounds: 1_000}',
      '3:21 sweep.max_rounds: must be a number, not the text "1_000" (write 1000, without quotes)',
    ],
    [
      'sweep:\n  max_rounds:\n',
      '4:3 sweep.max_rounds: must be a number, not null (leave the line out to take the default)',
    ],
    ['goal:', '3:1 goal: must be a mapping, not null (leave the section out to take its defaults)'],
    [
      'goal: {target: Goodputs}',
      '3:16 goal.target: must be one of throughput, throughput_per_gpu, throughput_per_user, e2e_latency, goodput, goodput_per_gpu, pareto, not the text "Goodputs" (did you mean goodput?)',
    ],
    ['goal: {target: goodput}', '3:1 goal.sla: goodput needs latency bounds: e2e_ms, or ttft_ms and itl_ms together'],
    [
      'perf: {model: tabel}',
      '3:15 perf.model: must be one of roofline, table, polynomial, not the text "tabel" (did you mean table?)',
    ],
  ])('explains %s', (line, expected) => {
    expect(messages(`${HEAD}${RATE}${line}\n`)).toEqual([`sweep.yaml:${expected}`])
  })

  it('explains pins and menus of numbers', () => {
    const pins = 'parallel_configs: [3, {tp: 2, prefill: {tp: 1}}]'
    const text = `search_space: {model_name: m, hardware_sku: s, deployment_mode: [agg], ${pins}, overlap_score_credit: ["0.5"]}\n${RATE}`
    expect(messages(text)).toEqual([
      'sweep.yaml:1:91 search_space.parallel_configs.0: must be a mapping, not 3',
      'sweep.yaml:1:102 search_space.parallel_configs.1.prefill: is not a known key (prefill does not go with the other keys of this mapping)',
      'sweep.yaml:1:145 search_space.overlap_score_credit.0: must be one of 0, 0.5, 1, not the text "0.5" (write 0.5, without quotes)',
    ])
  })

  it('keeps unprintable text out of messages', () => {
    const [message] = messages(`${HEAD}${RATE}goal: {target: "\\e[31mred\\u202e"}\n`)
    expect(message).toContain('\\u001b[31mred\\u202e')
  })

  it('stops after a hundred issues and counts the rest', () => {
    const keys = Array.from({ length: 150 }, (_, index) => `key_${index}: 1\n`).join('')
    const found = messages(`${HEAD}${RATE}${keys}`)
    expect(found).toHaveLength(101)
    expect(found.at(-1)).toMatch(/and 50 more mistakes/)
  })

  it('warns of fields without effect', () => {
    const text = `search_space: {model_name: m, hardware_sku: s, deployment_mode: [agg], decode_block_size: 32, min_endpoint: 2, planner_scaling_policy: [disabled]}\n${RATE}`
    const result = parseConfigText(text)
    expect(result.ok && result.warnings.map(formatIssue)).toEqual(
      [
        '1:71 search_space.decode_block_size: has no effect without disagg in deployment_mode',
        '1:95 search_space.min_endpoint: has no effect while no scaling policy can run',
      ].map((message) => expect.stringContaining(message.slice(message.indexOf(' ') + 1))),
    )
  })
})
