import { defineConfig } from 'vitest/config'
import base from './vitest.config.js'

/** Full golden sets. `SPICA_GOLDEN` names the folder; default `../shared/golden` beside the repository. */
export default defineConfig({
  ...base,
  test: { ...base.test, include: ['packages/*/conformance/**/*.test.ts'], testTimeout: 600_000 },
})
