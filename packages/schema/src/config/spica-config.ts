import { z } from 'zod'
import { type GoalConfig, goalSchema } from './goal.js'
import { type PerfConfig, perfSchema } from './perf.js'
import type { SearchSpaceConfig } from './search-space.js'
import { searchSpaceSchema } from './search-space-schema.js'
import { type SweepConfig, sweepSchema } from './sweep.js'
import { type WorkloadConfig, workloadSchema } from './workload.js'

/** A whole sweep configuration after loading: checked, every default filled in, not to be changed. */
export interface SpicaConfig {
  readonly search_space: SearchSpaceConfig
  readonly workload: WorkloadConfig
  readonly goal: GoalConfig
  readonly sweep: SweepConfig
  readonly perf: PerfConfig
}

/** Fields, types, menus and ranges. Rules that span fields are in `rules/`. */
export const spicaConfigSchema: z.ZodObject = z
  .strictObject({
    search_space: searchSpaceSchema.meta({ description: 'What is searched and what is pinned.' }),
    workload: workloadSchema.meta({ description: 'The traffic: a trace, or synthetic requests under one load.' }),
    goal: goalSchema.prefault({}).meta({ description: 'What to optimise.' }),
    sweep: sweepSchema.prefault({}).meta({ description: 'How long and how wide to search.' }),
    perf: perfSchema.prefault({}).meta({ description: 'Where pass times come from.' }),
  })
  .meta({ title: 'Spica sweep configuration' })
