// What `changeset version` would release: no package may be left without a version of its own.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { root } from '../bootstrap.mjs'

/** Versions by package after the pending changesets, and packages that would stay at 0.0.0. */
export function releasePlanProblems(packages) {
  const folder = mkdtempSync(join(tmpdir(), 'spica-release-'))
  const file = join(folder, 'plan.json')
  try {
    const bin = join(root, 'node_modules', '@changesets', 'cli', 'bin.js')
    // Against HEAD, so that it works in a clone without the main branch too.
    const args = [bin, 'status', '--since=HEAD', `--output=${relative(root, file)}`]
    const result = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
    if (result.status !== 0) return [`changeset status\n${result.stdout}${result.stderr}`]
    const { releases } = JSON.parse(readFileSync(file, 'utf8'))
    const planned = new Map(releases.map(({ name, newVersion }) => [name, newVersion]))
    return packages
      .map(({ manifest }) => ({ name: manifest.name, version: planned.get(manifest.name) ?? manifest.version }))
      .filter(({ version }) => version === '0.0.0')
      .map(({ name }) => `${name} would stay at 0.0.0: add a changeset`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
