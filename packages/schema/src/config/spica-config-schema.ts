import { z } from 'zod'
import { SECTION_SCHEMAS } from './sections.js'

/** Fields, types, menus and ranges. Rules that span fields are in `rules/`. */
export const spicaConfigSchema: z.ZodObject = z
  .strictObject({
    search_space: SECTION_SCHEMAS.search_space.meta({ description: 'What is searched and what is pinned.' }),
    workload: SECTION_SCHEMAS.workload.meta({
      description: 'The traffic: a trace, or synthetic requests under one load.',
    }),
    goal: SECTION_SCHEMAS.goal.prefault({}).meta({ description: 'What to optimise.' }),
    sweep: SECTION_SCHEMAS.sweep.prefault({}).meta({ description: 'How long and how wide to search.' }),
    perf: SECTION_SCHEMAS.perf.prefault({}).meta({ description: 'Where pass times come from.' }),
  })
  .meta({ title: 'Spica sweep configuration' })
