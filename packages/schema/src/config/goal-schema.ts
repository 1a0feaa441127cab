import { z } from 'zod'
import { GOAL_TARGETS, type GoalConfig, SCALAR_TARGETS } from './goal.js'
import { positiveNumber } from './numeric-fields.js'

const bound = (name: string) =>
  positiveNumber()
    .nullable()
    .default(null)
    .meta({ description: `${name} bound, ms.` })

const sla = z.strictObject({
  ttft_ms: bound('Time to first token'),
  itl_ms: bound('Inter-token latency'),
  e2e_ms: bound('End-to-end latency'),
})

const schema = z.strictObject({
  target: z
    .enum(GOAL_TARGETS)
    .default('throughput')
    .meta({ description: 'What to optimise; pareto keeps a front over pareto_objectives.' }),
  sla: sla
    .nullable()
    .default(null)
    .meta({ description: 'Latency bounds; goodput needs e2e_ms, or ttft_ms and itl_ms.' }),
  pareto_objectives: z
    .array(z.enum(SCALAR_TARGETS))
    .nullable()
    .default(null)
    .meta({ description: 'Two or more distinct objectives; only with target pareto.' }),
})

export const goalSchema: z.ZodObject = schema satisfies z.ZodType<GoalConfig>

export const slaKeys: readonly string[] = Object.keys(sla.shape)
