#!/usr/bin/env node
// Last step of .ci/run: sums the reports in a folder into one line; exits non-zero when anything failed.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { vitestTotals } from './vitest-totals.mjs'

const [folder, broken] = process.argv.slice(2)
const totals = vitestTotals([join(folder, 'unit.json'), join(folder, 'conformance.json')])
for (const name of ['packages.json', 'docs.json']) {
  const path = join(folder, name)
  if (!existsSync(path)) continue
  const { passed, failed } = JSON.parse(readFileSync(path, 'utf8'))
  totals.passed += passed
  totals.failed += failed
}
// A step that failed without a failed test (build, lint, a crash of the runner) is a failure too.
if (broken !== '0' && totals.failed === 0) totals.failed = 1
process.stdout.write(`${totals.passed} passed, ${totals.failed} failed\n`)
process.exit(totals.failed > 0 || totals.passed === 0 ? 1 : 0)
