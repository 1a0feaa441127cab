import type { Objective, Parameter } from '@spica/schema'
import type { TestProblem } from './test-problem.js'

type Values = Readonly<Record<string, number | string>>

const PARAMETERS: readonly Parameter[] = [
  { name: 'tp', kind: 'discrete', values: [1, 2, 4, 8], scale: 'log' },
  { name: 'pp', kind: 'discrete', values: [1, 2, 4], scale: 'log' },
  { name: 'max_batch', kind: 'discrete', values: [8, 16, 32, 64, 128, 256, 512], scale: 'log' },
  { name: 'chunk', kind: 'discrete', values: [512, 1024, 2048, 4096, 8192, 16384], scale: 'log' },
  { name: 'block', kind: 'discrete', values: [16, 32, 64, 128], scale: 'log' },
  { name: 'spec_k', kind: 'integer', min: 0, max: 5 },
  { name: 'prefill_ratio', kind: 'float', min: 0.1, max: 0.9 },
  { name: 'kv_frac', kind: 'float', min: 0.5, max: 0.95 },
  { name: 'conc', kind: 'float', min: 1, max: 1024, scale: 'log' },
  { name: 'quant', kind: 'categorical', values: ['bf16', 'fp8', 'int4'] },
  { name: 'backend', kind: 'categorical', values: ['trtllm', 'vllm', 'sglang'] },
  { name: 'sched', kind: 'categorical', values: ['fcfs', 'chunked', 'disagg'] },
]

const QUANTISATION: Record<string, { bytes: number; compute: number; kv: number }> = {
  bf16: { bytes: 2, compute: 1, kv: 1 },
  fp8: { bytes: 1, compute: 1.9, kv: 0.5 },
  int4: { bytes: 0.5, compute: 1.25, kv: 0.5 },
}
const BACKENDS: Record<
  string,
  { overheadS: number; efficiency: number; block: number; match: Record<string, number> }
> = {
  trtllm: { overheadS: 0.0016, efficiency: 0.8, block: 6, match: { fp8: 1.06 } },
  vllm: { overheadS: 0.0034, efficiency: 0.73, block: 4, match: { int4: 1.12 } },
  sglang: { overheadS: 0.0024, efficiency: 0.77, block: 5, match: { bf16: 1.04 } },
}

interface ServingFigures {
  readonly perGpu: number
  readonly perUser: number
  readonly ttftS: number
  readonly headroomBytes: number
}

/** A synthetic model of serving a 70B dense model; shaped like the real thing, calibrated to nothing. */
function servingFigures(x: Values): ServingFigures {
  const number = (name: string): number => x[name] as number
  const tp = number('tp')
  const pp = number('pp')
  const gpus = tp * pp
  const k = number('spec_k')
  const chunk = number('chunk')
  const conc = number('conc')
  const ratio = number('prefill_ratio')
  const q = QUANTISATION[x['quant'] as string]!
  const backend = BACKENDS[x['backend'] as string]!
  const blockMisfit = Math.log2(number('block')) - backend.block
  const pressure = Math.max(0, number('kv_frac') - 0.88)
  const efficiency =
    backend.efficiency *
    (backend.match[x['quant'] as string] ?? 1) *
    (1 - 0.02 * blockMisfit * blockMisfit) *
    (1 - (0.6 * pressure * pressure) / 0.01)
  const batch = Math.min(conc, number('max_batch'))
  const weights = (70e9 * q.bytes) / gpus
  const kvBytes = (327680 * q.kv) / gpus
  const headroomBytes = 80e9 * number('kv_frac') - 4e9 - weights - batch * 3000 * kvBytes - (chunk * 1.2e6) / tp
  const memoryS = (weights + batch * 3000 * kvBytes) / (3.35e12 * efficiency)
  const computeS = (2 * 70e9 * batch * (k + 1)) / gpus / (9.9e14 * q.compute * efficiency * 0.7)
  const linkBytes = tp <= 8 ? 4.5e11 : 5e10
  const networkS = 160 * (7e-6 * Math.log2(tp) + (batch * (k + 1) * 16384 * (tp - 1)) / tp / linkBytes)
  let stepS = ((memoryS ** 4 + computeS ** 4) ** 0.25 + networkS) * (1 + (0.12 * (pp - 1)) / pp)
  stepS = (stepS + backend.overheadS + (pp - 1) * 2e-4) * (1 + 0.07 * k)
  const acceptance = x['quant'] === 'int4' ? 0.55 : 0.62
  const accepted = (1 - acceptance ** (k + 1)) / (1 - acceptance)
  const decode = (batch * accepted) / stepS / gpus
  const chunkShare = chunk / (chunk + 1200)
  const prefill = (9.9e14 * q.compute * 0.55 * efficiency * chunkShare) / (2 * 70e9) / (1 + 0.05 * Math.log2(tp))
  const decodeTime = 1 / decode
  const prefillTime = 4 / prefill
  let perGpu: number
  let interference: number
  if (x['sched'] === 'fcfs') {
    perGpu = 1 / (decodeTime + prefillTime)
    interference = (0.9 * prefillTime) / decodeTime
  } else if (x['sched'] === 'chunked') {
    perGpu = 1 / (Math.max(decodeTime, prefillTime) + 0.45 * Math.min(decodeTime, prefillTime))
    interference = ((0.35 * prefillTime) / decodeTime) * (chunk / 2048) ** 0.3
  } else {
    perGpu = Math.min((1 - ratio) * decode, (ratio * prefill) / 4) * 0.97
    interference = 0.02
  }
  const wait = Math.max(0, conc / number('max_batch') - 1)
  const perUser = accepted / (stepS * (1 + interference)) / (1 + 0.5 * wait)
  const prefillShare = x['sched'] === 'disagg' ? ratio : 1
  const ttftS = (2000 / (prefill * gpus * prefillShare)) * (1 + 0.02 * batch) + wait * 2 + 0.05
  return { perGpu, perUser, ttftS, headroomBytes }
}

const SOURCE = 'synthetic, shaped like LLM serving; best known by search, not proved'

/** Throughput per GPU under memory, first-token and per-user limits: 12 mixed parameters, much of it infeasible. */
export const servingThroughput: TestProblem = {
  name: 'serving_so',
  parameters: PARAMETERS,
  objectives: [{ name: 'perGpu', direction: 'maximize' }],
  evaluate: (x) => {
    const { perGpu, perUser, ttftS, headroomBytes } = servingFigures(x)
    return headroomBytes < 0 || ttftS > 4 || perUser < 30 ? null : [perGpu]
  },
  optimum: 1237.5090047421388,
  source: SOURCE,
}

const BOTH: readonly Objective[] = [
  { name: 'perGpu', direction: 'maximize', referencePoint: 0 },
  { name: 'perUser', direction: 'maximize', referencePoint: 0 },
]

/** Throughput per GPU against throughput per user, under memory and first-token limits. */
export const servingTradeOff: TestProblem = {
  name: 'serving_mo',
  parameters: PARAMETERS,
  objectives: BOTH,
  evaluate: (x) => {
    const { perGpu, perUser, ttftS, headroomBytes } = servingFigures(x)
    return headroomBytes < 0 || ttftS > 4 ? null : [perGpu, perUser]
  },
  hypervolume: 246078.2179929761,
  source: SOURCE,
}
