import { loadConfigValue, SpicaError } from '@spica/schema'
import { evaluationAnswerSchema, evaluationJobSchema } from '../src/broker/job.js'
import { createEvaluator } from '../src/evaluation/evaluator.js'
import { planStudy } from '../src/study/plan.js'
import type { CaseMaker } from './fuzz-case.js'
import { setSomewhere } from './ledger-cases.js'
import { mutateBytes } from './mutate-bytes.js'
import { createDice } from './random.js'

const CONFIG = {
  search_space: {
    model_name: 'meta-llama/Llama-3.1-8B',
    hardware_sku: 'h200_sxm',
    gpu_budget: 4,
    context_length: 2048,
    planner_scaling_policy: ['disabled', 'load_180_5'],
  },
  workload: { isl: 100, osl: 5, concurrency: 3, num_request_ratio: 2 },
  goal: { target: 'goodput', sla: { ttft_ms: 500, itl_ms: 50 } },
}

/**
 * Attacks on the queue: damaged jobs are refused by their schema, or evaluated as a worker would, which must give finite
 * metrics or an error of a known kind. Damaged answers are refused or have the form of an answer.
 */
export async function jobCases(seed: number): Promise<CaseMaker> {
  const loaded = loadConfigValue(CONFIG)
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.issues))
  const plan = await planStudy(loaded.config, { folder: '.', compat: [] })
  const evaluator = createEvaluator(plan.settings)
  const payloads = plan.branches.map((branch) => {
    const drawn = branch.parameters.map((parameter) => [
      parameter.name,
      parameter.default ?? ('values' in parameter ? parameter.values[0] : parameter.min),
    ])
    const realised = branch.realise(Object.fromEntries(drawn) as Record<string, number | string>)
    return realised.plan as Record<string, unknown>
  })
  return {
    make(number) {
      const dice = createDice(seed + number)
      const job = {
        format: 1,
        version: '0.0.0',
        context: 'a'.repeat(64),
        time_limit_s: 5,
        memory_limit_mb: null,
        payload: dice.pick(payloads),
      }
      let data: unknown = job
      if (dice.chance(0.6)) data = { ...job, payload: setSomewhere(job.payload, dice, seed + number) }
      else if (dice.chance(0.5)) data = setSomewhere(job, dice, seed + number)
      else data = parseOrText(mutateBytes(Buffer.from(JSON.stringify(job)), dice))
      const answer = setSomewhere(
        { status: 'done', result: {}, worker: 'w', startedMs: 1, durationMs: 2 },
        dice,
        seed + number,
      )
      return {
        kind: 'job',
        label: JSON.stringify(data).slice(0, 1500),
        async run() {
          evaluationAnswerSchema.safeParse(answer)
          const parsed = evaluationJobSchema.safeParse(data)
          if (!parsed.success) return { outcome: 'refused', complaints: [] }
          try {
            const result = evaluator.evaluate(parsed.data.payload, performance.now() + 5000)
            return { outcome: 'evaluated', complaints: notFinite(result, '$') }
          } catch (error) {
            if (error instanceof SpicaError && error.kind !== 'internal') return { outcome: 'failed', complaints: [] }
            return { outcome: 'broken', complaints: [`an unexpected error: ${String((error as Error).stack)}`] }
          }
        },
      }
    },
    dispose: () => {},
  }
}

function parseOrText(bytes: Uint8Array): unknown {
  const text = Buffer.from(bytes).toString()
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function notFinite(value: unknown, path: string): string[] {
  if (typeof value === 'number') return Number.isFinite(value) ? [] : [`${path} is ${value}`]
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([key, item]) => notFinite(item, `${path}.${key}`))
}
