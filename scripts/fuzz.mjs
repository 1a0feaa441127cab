#!/usr/bin/env node
// `pnpm fuzz [--cases N] [--seed S] [--kind K] [--from N]`: attacks the command line with damaged inputs; see docs/reference/robustness.md.
import { parseArgs } from 'node:util'
import { pnpm } from './bootstrap.mjs'

const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== '--'),
  options: {
    cases: { type: 'string', default: '12000' },
    seed: { type: 'string', default: '1' },
    kind: { type: 'string' },
    from: { type: 'string', default: '0' },
  },
})
process.env.SPICA_FUZZ_CASES = values.cases
process.env.SPICA_FUZZ_SEED = values.seed
process.env.SPICA_FUZZ_FROM = values.from
if (values.kind !== undefined) process.env.SPICA_FUZZ_KIND = values.kind
process.exitCode = pnpm(['exec', 'vitest', 'run', '--config', 'vitest.fuzz.config.ts'])
