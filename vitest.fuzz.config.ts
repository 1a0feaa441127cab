import { defineConfig } from 'vitest/config'
import base from './vitest.config.js'

/** `pnpm fuzz`: the long campaign of `packages/spica-cli/fuzz`. */
export default defineConfig({ ...base, test: { ...base.test, include: ['packages/spica-cli/fuzz/*.fuzz.ts'] } })
