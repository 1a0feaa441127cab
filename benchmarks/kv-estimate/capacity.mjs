/**
 * KV capacity against engines and published checkpoints, beside upstream's rules (compat aic-0.11) in the same run, and the cost
 * of an estimate. Run after a build: `node benchmarks/kv-estimate/capacity.mjs`. CPU times, least of five runs.
 */
import { findHardware, findModel } from '../../packages/catalog/dist/index.js'
import { estimateKv, kvRow } from '../../packages/kv-estimate/dist/index.js'

const hardware = findHardware('h200_sxm')
const one = { tp: 1, attentionDp: 1, moeTp: 1, moeEp: 1 }
const settings = { maxNumBatchedTokens: 8192, maxNumSeqs: 256, memoryFraction: 0.9 }

/** Gemma-4-31B by the layer figures of its report; the catalogue has its 26B sibling. */
const gemma31 = {
  ...findModel('google/gemma-4-26B-A4B'),
  name: 'Gemma-4-31B',
  family: 'dense',
  moe: null,
  layers: 60,
  heads: 32,
  kvHeads: 16,
  hiddenSize: 5376,
  interSize: 21504,
  denseFfn: [{ count: 60, interSize: 21504 }],
  layerGroups: [
    { mixer: 'sliding', count: 50, window: 1024, heads: 32, kvHeads: 16, headDim: 256 },
    { mixer: 'full', count: 10, heads: 32, kvHeads: 4, headDim: 512 },
  ],
}

const cases = [
  {
    name: 'DeepSeek-R1, SGLang, TP8, 0.82, bf16 cache',
    observed: 509_000,
    input: {
      model: findModel('deepseek-ai/DeepSeek-R1'),
      backend: 'sglang',
      shape: { tp: 8, attentionDp: 1, moeTp: 8, moeEp: 1 },
      settings: { ...settings, memoryFraction: 0.82 },
      kvCacheDtype: 'bfloat16',
    },
  },
  {
    name: 'Gemma-4-31B, vLLM, bf16',
    observed: 626_949,
    input: { model: gemma31, backend: 'vllm', shape: one, settings },
  },
  {
    name: 'Qwen3-32B-FP8, vLLM (simulated)',
    observed: 737_808,
    input: { model: findModel('Qwen/Qwen3-32B-FP8'), backend: 'vllm', shape: one, settings },
  },
]

const percent = (value, reference) => `${((100 * value) / reference - 100).toFixed(1)} %`

console.log('tokens per rank on one H200: observed, ours, upstream rules')
for (const { name, observed, input } of cases) {
  const ours = estimateKv({ ...input, hardware }).totalKvSizeTokens ?? 0
  const theirs = estimateKv({ ...input, hardware, compat: 'aic-0.11' }).totalKvSizeTokens ?? 0
  console.log(
    `${name.padEnd(46)} ${observed}  ${ours} (${percent(ours, observed)})  ${theirs} (${percent(theirs, observed)})`,
  )
}

console.log('\nweights in GB: published checkpoint, ours, upstream rules')
const checkpoints = [
  ['openai/gpt-oss-120b', 65.25],
  ['moonshotai/Kimi-K2.5', 595],
  ['Qwen/Qwen3-235B-A22B', 470.2],
  ['meta-llama/Meta-Llama-3.1-70B', 141.1],
  ['mistralai/Mixtral-8x7B-v0.1', 93.4],
]
for (const [name, published] of checkpoints) {
  const weights = (compat) =>
    estimateKv({ model: findModel(name), hardware, backend: 'vllm', shape: one, settings, ...compat }).weightsBytes /
    1e9
  const [ours, theirs] = [weights({}), weights({ compat: 'aic-0.11' })]
  const figures = `${ours.toFixed(1)} (${percent(ours, published)})  ${theirs.toFixed(1)} (${percent(theirs, published)})`
  console.log(`${name.padEnd(46)} ${published}  ${figures}`)
}

function leastMicroseconds(count, run) {
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < 5; round++) {
    const before = process.cpuUsage()
    for (let k = 0; k < count; k++) run()
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / count)
  }
  return least
}

const row = { model_name: 'deepseek-ai/DeepSeek-V3', hardware_sku: 'h200_sxm', backend: 'vllm', tp: 8, moe_ep: 8 }
const estimate = leastMicroseconds(20_000, () => estimateKv({ ...cases[0].input, hardware }))
const answered = leastMicroseconds(2_000, () => kvRow(row))
console.log(`\none estimate ${estimate.toFixed(1)} µs; one batch row with its lookups ${answered.toFixed(0)} µs`)
