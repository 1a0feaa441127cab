#!/usr/bin/env node
// `pnpm conformance`: every golden set, when the data is there (SPICA_SHARED, default ../shared beside the repository).
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pnpm, root } from './bootstrap.mjs'
import { vitestTotals } from './vitest-totals.mjs'

const shared = resolve(process.env.SPICA_SHARED ?? join(root, '..', 'shared'))
if (!existsSync(join(shared, 'golden'))) {
  process.stdout.write(`conformance skipped: no golden data in ${shared} (set SPICA_SHARED)\n`)
  process.exit(0)
}
const reports = process.env.SPICA_TEST_REPORTS ?? join(root, 'node_modules', '.cache', 'spica-tests')
const report = join(reports, 'conformance.json')
mkdirSync(reports, { recursive: true })
rmSync(report, { force: true })
const config = ['--config', 'vitest.conformance.config.ts']
const output = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
const code = pnpm(['exec', 'vitest', 'run', ...config, ...output, '--passWithNoTests', ...process.argv.slice(2)])
const totals = vitestTotals([report])
process.stdout.write(`\nConformance: ${totals.passed} passed; ${totals.failed} failed; ${totals.skipped} skipped\n`)
process.exit(code)
