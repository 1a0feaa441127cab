import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CaseMaker } from './fuzz-case.js'
import { draw, hostileRecord, hostileValue } from './hostile-values.js'
import { judgeJson, judgeRun, runCaptured } from './judge-run.js'
import { mutateBytes } from './mutate-bytes.js'
import { createDice } from './random.js'

const KV_ROW = {
  model_name: 'meta-llama/Llama-3.1-8B',
  hardware_sku: 'h200_sxm',
  backend: 'vllm',
  tp: 1,
  max_num_batched_tokens: 8192,
  max_num_seqs: 256,
  memory_fraction: 0.9,
}
const KEYS: readonly string[] = [
  'model_name',
  'hardware_sku',
  'backend',
  'backend_version',
  'tp',
  'attention_dp',
  'moe_tp',
  'moe_ep',
  'max_num_batched_tokens',
  'max_num_seqs',
  'memory_fraction',
  'kv_cache_dtype',
  'context_length',
  'nextn',
  'phase',
  'batch',
  'isl',
  'prefix',
  'context',
  'x',
]
const MODELS: readonly string[] = [
  'meta-llama/Llama-3.1-8B',
  'deepseek-ai/DeepSeek-R1',
  'Qwen/Qwen3-32B-FP8',
  'openai/gpt-oss-20b',
  'Qwen/Qwen3-235B-A22B-FP8',
]

/** Attacks on `kv` and `latency` rows, by `--batch` and by flags, and on the smaller commands' flags. */
export function rowCases(folder: string, seed: number): CaseMaker {
  return {
    make(number) {
      const dice = createDice(seed + number)
      const latency = dice.chance(0.5)
      const base = {
        ...KV_ROW,
        model_name: dice.pick(MODELS),
        backend: dice.pick(['vllm', 'sglang', 'trtllm']),
        tp: dice.pick([1, 2, 8]),
        ...(latency
          ? dice.pick([
              { phase: 'prefill', batch: 2, isl: 700, prefix: 10 },
              { phase: 'decode', batch: 9, context: 800 },
            ])
          : {}),
      }
      const row = draw(hostileRecord(base, KEYS, 2), seed + number)
      const command = latency ? 'latency' : 'kv'
      const path = join(folder, 'rows.jsonl')
      const roll = dice.unit()
      const batch = roll < 0.7
      const source =
        roll < 0.35
          ? Buffer.from(
              `${JSON.stringify(row)}\n${JSON.stringify(draw(hostileValue, seed - number))}\n${JSON.stringify(base)}\n`,
            )
          : mutateBytes(Buffer.from(`${JSON.stringify(base)}\n${JSON.stringify(row)}\n`), dice)
      const flags = Object.entries(row).map(
        ([key, value]) =>
          `--${key.replaceAll('_', '-')}=${typeof value === 'object' ? JSON.stringify(value) : String(value)}`,
      )
      const args = batch ? [command, '--batch', path, '--json'] : [command, ...flags, '--json']
      return {
        kind: 'row',
        label: batch ? `${command} ${source.toString().slice(0, 1500)}` : args.join(' '),
        async run() {
          writeFileSync(path, source)
          const ran = await runCaptured(args)
          const complaints = judgeRun(ran, batch ? [0, 1, 2] : [0, 1, 2])
          const mayBeNull = (at: string) => /total_kv|reason|dtype|max_seq|version|hint|per_token|tokens/.test(at)
          if (batch && ran.code !== 2)
            for (const line of ran.stdout.split('\n').filter((text) => text !== ''))
              complaints.push(...judgeJson(line, mayBeNull))
          else if (!batch && ran.code === 0) complaints.push(...judgeJson(ran.stdout, mayBeNull))
          return { outcome: `exit ${ran.code}`, complaints }
        },
      }
    },
    dispose: () => {},
  }
}
