import { z } from 'zod'
import type { PerfConfig } from './perf.js'
import { textField } from './text-field.js'

const path = (description: string) => textField().nullable().default(null).meta({ description })

const schema = z.strictObject({
  model: z
    .enum(['roofline', 'table', 'polynomial'])
    .nullable()
    .default(null)
    .meta({ description: 'Timing model; default table when a database is given, else roofline.' }),
  database: path('Folder of measured tables.'),
  points: path('File of measured points.'),
})

export const perfSchema: z.ZodObject = schema satisfies z.ZodType<PerfConfig>
