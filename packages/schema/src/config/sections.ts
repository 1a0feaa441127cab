import type { z } from 'zod'
import { goalSchema } from './goal-schema.js'
import { perfSchema } from './perf-schema.js'
import { searchSpaceSchema } from './search-space-schema.js'
import { sweepSchema } from './sweep-schema.js'
import { workloadSchema } from './workload-schema.js'

export type SectionName = 'search_space' | 'workload' | 'goal' | 'sweep' | 'perf'

/** The mappings at the top of a config; the first two are required. */
export const SECTION_SCHEMAS: Readonly<Record<SectionName, z.ZodObject>> = {
  search_space: searchSpaceSchema,
  workload: workloadSchema,
  goal: goalSchema,
  sweep: sweepSchema,
  perf: perfSchema,
}

export const REQUIRED_SECTIONS: readonly SectionName[] = ['search_space', 'workload']
