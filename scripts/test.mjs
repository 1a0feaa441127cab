#!/usr/bin/env node
// `npm test`: install, build, dependency check, lint, and every test of every package. Prints the totals last.
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { installAndBuild, pnpm, root, run } from './bootstrap.mjs'
import { vitestTotals } from './vitest-totals.mjs'

const reports = process.env.SPICA_TEST_REPORTS ?? join(root, 'node_modules', '.cache', 'spica-tests')
const report = join(reports, 'unit.json')
mkdirSync(reports, { recursive: true })
rmSync(report, { force: true })

installAndBuild()
const failures = []
const check = (name, code) => {
  if (code !== 0) failures.push(name)
}
check('dependency direction', run(process.execPath, ['scripts/check-dependencies.mjs']))
check('lint and format', pnpm(['exec', 'biome', 'ci', '.', '--diagnostic-level=error']))
check('documentation examples', run(process.execPath, ['scripts/check-readmes.mjs']))
const args = ['exec', 'vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
check('tests', pnpm([...args, ...process.argv.slice(2)]))

const totals = vitestTotals([report])
process.stdout.write(`\nTests: ${totals.passed} passed; ${totals.failed} failed; ${totals.skipped} skipped\n`)
if (failures.length > 0) {
  process.stderr.write(`Failed: ${failures.join(', ')}\n`)
  process.exit(1)
}
if (totals.passed === 0) {
  process.stderr.write('Failed: no test ran\n')
  process.exit(1)
}
