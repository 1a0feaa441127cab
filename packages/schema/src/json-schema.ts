import { z } from 'zod'
import { spicaConfigSchema } from './config/spica-config-schema.js'

/**
 * JSON Schema (draft-7) of a sweep config, for completion and checks in editors. It holds fields, types, menus, ranges
 * and defaults; rules that span fields are only checked when a config is loaded. The same text is in
 * `schema/spica.schema.json`.
 */
export function configJsonSchema(): Readonly<Record<string, unknown>> {
  return z.toJSONSchema(spicaConfigSchema, {
    target: 'draft-7',
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => {
      const { def } = zodSchema._zod
      if (def.type === 'tuple') Object.assign(jsonSchema, { minItems: def.items.length, maxItems: def.items.length })
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
    },
  })
}
