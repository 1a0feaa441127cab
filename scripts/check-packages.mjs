#!/usr/bin/env node
// Checks every package as it would be published. `--update` rewrites the API reports; `--no-build` trusts dist/;
// `--only NAME[,NAME]` runs some of: manifests, api, size, release, knip, pack, smoke.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { pnpm, root, step } from './bootstrap.mjs'
import { apiReportProblems } from './package-checks/api-reports.mjs'
import { knipProblems } from './package-checks/knip.mjs'
import { attwProblems, pack, publintProblems } from './package-checks/pack.mjs'
import { manifestProblems, publishablePackages } from './package-checks/publishable.mjs'
import { releasePlanProblems } from './package-checks/release-plan.mjs'
import { sizeProblems } from './package-checks/size.mjs'
import { smokeProblems } from './package-checks/smoke.mjs'

const { values } = parseArgs({
  options: {
    update: { type: 'boolean', default: false },
    'no-build': { type: 'boolean', default: false },
    only: { type: 'string' },
  },
})
const wanted = new Set((values.only ?? 'manifests,api,size,release,knip,pack,smoke').split(','))
if (!values['no-build'])
  step('building', pnpm(['exec', 'turbo', 'run', 'build', '--filter=./packages/*', '--output-logs=errors-only']))

const packages = publishablePackages()
const results = []

/** Runs one check; what it throws is one of its problems. */
async function check(kind, name, run) {
  if (!wanted.has(kind)) return
  let problems
  try {
    problems = await run()
  } catch (error) {
    problems = [`${name}: ${error.stack}`]
  }
  results.push({ name, problems })
  process.stdout.write(`${problems.length === 0 ? 'ok    ' : 'FAILED'} ${name}\n`)
  for (const problem of problems) process.stdout.write(`       ${problem.replaceAll('\n', '\n       ')}\n`)
}

for (const pkg of packages) {
  const { name } = pkg.manifest
  await check('manifests', `manifest of ${name}`, () => manifestProblems(pkg))
  await check('api', `API reports of ${name}`, () => apiReportProblems(pkg, values.update))
  await check('size', `size of ${name}`, async () => {
    const { problems, sizes } = await sizeProblems(pkg)
    for (const { id, kB } of sizes) process.stdout.write(`       ${id} ${kB.toFixed(1)} kB gzipped\n`)
    return problems
  })
}
await check('release', 'release plan', () => releasePlanProblems(packages))
await check('knip', 'unused files, exports and dependencies', knipProblems)

if (wanted.has('pack') || wanted.has('smoke')) {
  const folder = mkdtempSync(join(tmpdir(), 'spica-packages-'))
  try {
    const tarballs = new Map()
    for (const pkg of packages) {
      const { name } = pkg.manifest
      tarballs.set(name, pack(pkg, folder))
      await check('pack', `publint of ${name}`, () => publintProblems(pkg, tarballs.get(name)))
      await check('pack', `types of ${name}`, () => attwProblems(pkg, tarballs.get(name)))
    }
    await check('smoke', 'packed tarballs in an empty folder', () =>
      smokeProblems(join(folder, 'smoke'), packages, tarballs),
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const failed = results.filter(({ problems }) => problems.length > 0).length
const reports = process.env.SPICA_TEST_REPORTS ?? join(root, 'node_modules', '.cache', 'spica-tests')
mkdirSync(reports, { recursive: true })
writeFileSync(join(reports, 'packages.json'), `${JSON.stringify({ passed: results.length - failed, failed })}\n`)
process.stdout.write(`\nPackage checks: ${results.length - failed} passed; ${failed} failed\n`)
process.exit(failed > 0 || results.length === 0 ? 1 : 0)
