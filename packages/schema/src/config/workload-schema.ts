import { z } from 'zod'
import { nonNegativeNumber, positiveNumber, wholeNumber } from './numeric-fields.js'
import { textField } from './text-field.js'
import type { WorkloadConfig } from './workload.js'

const traceFormats = ['mooncake', 'mooncake-delta', 'agentic_mooncake'] as const

const schema = z.strictObject({
  isl: wholeNumber().nullable().default(null).meta({ description: 'Prompt tokens per synthetic request.' }),
  osl: wholeNumber().nullable().default(null).meta({ description: 'Generated tokens per synthetic request.' }),
  concurrency: wholeNumber().nullable().default(null).meta({ description: 'Requests in flight at once.' }),
  kv_load_ratio: z
    .union([nonNegativeNumber(), z.tuple([nonNegativeNumber(), nonNegativeNumber()])])
    .nullable()
    .default(null)
    .meta({ description: 'Load as a share of KV capacity: a number, or [min, max] under a pareto goal.' }),
  request_rate: positiveNumber().nullable().default(null).meta({ description: 'Requests per second.' }),
  num_request_ratio: positiveNumber().nullable().default(null).meta({ description: 'Requests per unit of load.' }),
  shared_prefix_ratio: z.number().min(0).max(1).default(0).meta({ description: 'Share of the prompt that is common.' }),
  num_prefix_groups: wholeNumber(0).default(0).meta({ description: 'Groups of sessions that share a prefix.' }),
  turns_per_session: wholeNumber().default(1).meta({ description: 'Requests per session, one after the other.' }),
  inter_turn_delay_ms: nonNegativeNumber().default(0).meta({ description: 'Pause between turns, ms.' }),
  trace_path: textField().nullable().default(null).meta({ description: 'Trace file (JSONL or .gz).' }),
  trace_format: z.enum(traceFormats).default('mooncake').meta({ description: 'Format of the trace.' }),
  arrival_speedup_ratio: positiveNumber().default(1).meta({ description: 'Speeds trace arrivals up.' }),
  replay_concurrency: wholeNumber().nullable().default(null).meta({ description: 'Closed-loop replay of the trace.' }),
})

export const workloadSchema: z.ZodObject = schema satisfies z.ZodType<WorkloadConfig>
