/**
 * Cost of enumerating MoE disaggregated pools and of projecting onto them, beside a scan of the whole pool.
 * Run after a build: `node benchmarks/parallel-enum/projection.mjs`. CPU times, least of several runs.
 */
import { createProjector, enumerate, latentFeatures } from '../../packages/parallel-enum/dist/index.js'

const BUDGETS = [8, 16, 32, 72, 128, 256]

function cpuMs(run) {
  const before = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

const least = (times, run) => Math.min(...Array.from({ length: times }, () => cpuMs(run)))

/** The same requests every time: a small linear congruential generator. */
function requests(count) {
  let state = 1
  const next = () => (state = (state * 48271) % 2147483647) / 2147483647
  const pick = (list) => list[Math.floor(next() * list.length)]
  return Array.from({ length: count }, () => ({
    used_gpu_ratio: next(),
    prefill_gpu_share: next(),
    prefill_num_gpus_per_engine_target: pick([1, 2, 4, 8, 16]),
    decode_num_gpus_per_engine_target: pick([1, 2, 4, 8, 16]),
    prefill_attention_mode: pick(['tp', 'dp']),
    decode_attention_mode: pick(['tp', 'dp']),
    prefill_ffn_mode: pick(['ep', 'tp']),
    decode_ffn_mode: pick(['ep', 'tp']),
  }))
}

/** What a projection without an index has to do, with the features worked out beforehand. */
function scan(features, request) {
  let best = -1
  let bestDistance = Number.POSITIVE_INFINITY
  let bestMismatches = Number.POSITIVE_INFINITY
  const { used_gpu_ratio: ratio, prefill_gpu_share: share } = request
  const sizes = [request.prefill_num_gpus_per_engine_target, request.decode_num_gpus_per_engine_target].map(Math.log2)
  for (let i = 0; i < features.length; i++) {
    const own = features[i]
    let mismatches = 0
    for (const name of own.modeNames) if (own.modes[name] !== request[name]) mismatches++
    if (mismatches > bestMismatches) continue
    const distance =
      (ratio - own.ratio) ** 2 + (share - own.share) ** 2 + (sizes[0] - own.p) ** 2 + (sizes[1] - own.d) ** 2
    if (mismatches < bestMismatches || distance < bestDistance) {
      best = i
      bestDistance = distance
      bestMismatches = mismatches
    }
  }
  return best
}

const modeNames = ['prefill_attention_mode', 'decode_attention_mode', 'prefill_ffn_mode', 'decode_ffn_mode']
const row = (cells) => console.log(cells.map((cell) => String(cell).padStart(13)).join(''))
row(['GPUs', 'pairs', 'enumerate ms', 'set-up ms', 'project ms', 'worst ms', 'scan ms', 'ratio'])
for (const gpuBudget of BUDGETS) {
  const options = { deploymentModes: ['disagg'], backends: ['vllm', 'sglang', 'trtllm'], isMoe: true, gpuBudget }
  const repeats = gpuBudget > 100 ? 3 : 7
  let pool
  let projector
  const enumerateMs = least(repeats, () => {
    pool = enumerate(options).branches[0].pool
  })
  const setUpMs = least(repeats, () => {
    projector = createProjector(pool)
  })
  const list = requests(1000)
  for (const request of list) projector.project(request, 'vllm')
  const projectMs =
    least(5, () => {
      for (const request of list) projector.project(request, 'vllm')
    }) / list.length
  const worst = new Float64Array(list.length).fill(Number.POSITIVE_INFINITY)
  for (let round = 0; round < 5; round++) {
    list.forEach((request, i) => {
      const start = performance.now()
      projector.project(request, 'vllm')
      worst[i] = Math.min(worst[i], performance.now() - start)
    })
  }
  const features = [...pool].map((config) => {
    const values = latentFeatures(config, gpuBudget, true)
    return {
      ratio: values.used_gpu_ratio,
      share: values.prefill_gpu_share,
      p: Math.log2(values.prefill_num_gpus_per_engine_target),
      d: Math.log2(values.decode_num_gpus_per_engine_target),
      modeNames,
      modes: values,
    }
  })
  const few = list.slice(0, 20)
  const scanMs =
    least(3, () => {
      for (const request of few) scan(features, request)
    }) / few.length
  row([
    gpuBudget,
    pool.size,
    enumerateMs.toFixed(1),
    setUpMs.toFixed(1),
    projectMs.toFixed(4),
    worst.reduce((a, b) => Math.max(a, b), 0).toFixed(3),
    scanMs.toFixed(3),
    `${(scanMs / projectMs).toFixed(0)}x`,
  ])
}
console.log(`peak memory ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MiB (the scan's own table included)`)
