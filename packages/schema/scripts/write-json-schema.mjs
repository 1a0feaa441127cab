/** Writes schema/spica.schema.json from the built package. Run after `tsc -b`. */
import { writeFileSync } from 'node:fs'
import { configJsonSchema } from '../dist/index.js'

const file = new URL('../schema/spica.schema.json', import.meta.url)
writeFileSync(file, `${JSON.stringify(configJsonSchema(), null, 2)}\n`)
