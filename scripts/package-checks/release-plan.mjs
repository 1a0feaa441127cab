// What `changeset version` would release: no package may be left without a version of its own.
import getReleasePlan from '@changesets/get-release-plan'
import { root } from '../bootstrap.mjs'

/** Packages that would stay at 0.0.0 after the pending changesets. */
export async function releasePlanProblems(packages) {
  const { releases } = await getReleasePlan(root)
  const planned = new Map(releases.map(({ name, newVersion }) => [name, newVersion]))
  return packages
    .map(({ manifest }) => ({ name: manifest.name, version: planned.get(manifest.name) ?? manifest.version }))
    .filter(({ version }) => version === '0.0.0')
    .map(({ name }) => `${name} would stay at 0.0.0: add a changeset`)
}
