#!/usr/bin/env node
// Generated reference pages are up to date, and the site builds (dead links fail it). Counts go to the CI totals.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pnpm, root, run } from './bootstrap.mjs'

const checks = [
  ['generated reference pages', () => run(process.execPath, ['docs/scripts/write-reference.mjs', '--check'])],
  ['documentation site', () => pnpm(['--filter', './docs', 'build'])],
]
const failures = checks.filter(([, check]) => check() !== 0).map(([name]) => name)
const counts = { passed: checks.length - failures.length, failed: failures.length }
const reports = process.env.SPICA_TEST_REPORTS ?? join(root, 'node_modules', '.cache', 'spica-tests')
mkdirSync(reports, { recursive: true })
writeFileSync(join(reports, 'docs.json'), `${JSON.stringify(counts)}\n`)
if (failures.length > 0) process.stderr.write(`Failed: ${failures.join(', ')}\n`)
process.exit(failures.length > 0 ? 1 : 0)
