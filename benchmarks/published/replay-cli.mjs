// Runs `spica` and returns its JSON, for the published-experiment scripts.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../../packages/spica-cli/dist/main.js', import.meta.url))

/** Output of one spica call, parsed. */
export function spica(args) {
  const text = execFileSync(process.execPath, ['--max-old-space-size=4096', MAIN, ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return JSON.parse(text)
}

/** Engine of the published MiniMax-M2.5 deployment: eight vLLM workers of four GPUs with expert parallelism on B200. */
export const MINIMAX_WORKER = {
  engine_type: 'vllm',
  aic_backend: 'vllm',
  aic_system: process.env.SPICA_SKU ?? 'b200_sxm',
  aic_model_path: 'MiniMaxAI/MiniMax-M2.5',
  aic_tp_size: 4,
  aic_attention_dp_size: 1,
  aic_moe_tp_size: 1,
  aic_moe_ep_size: 4,
  max_num_batched_tokens: 16384,
  max_num_seqs: 512,
  block_size: 64,
  gpu_memory_utilization: 0.9,
}
export const WORKERS = 8

/** Rows as a Markdown table. */
export function markdown(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/** Requests of the published tool-agent trace, generated with its published statistics: the trace itself is not public here. */
export function toolAgentTrace(path) {
  return spica([
    'trace',
    'synth',
    '--requests',
    '23608',
    '--rate',
    '6.6',
    '--isl',
    '8596',
    '--isl-max',
    '120000',
    '--osl',
    '182',
    '--prefix-hit-rate',
    '0.5',
    '--prefix-groups',
    '600',
    '--zipf',
    '0.9',
    '--seed',
    '5',
    '--json',
    '--out',
    path,
  ])
}
