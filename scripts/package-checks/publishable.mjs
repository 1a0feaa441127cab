// The packages that get published, and what each must say about itself.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../bootstrap.mjs'

/** Every folder of `packages/` with its manifest, in alphabetical order, private ones left out. */
export function publishablePackages() {
  return readdirSync(join(root, 'packages'))
    .sort()
    .filter((folder) => existsSync(join(root, 'packages', folder, 'package.json')))
    .map((folder) => {
      const path = join(root, 'packages', folder)
      return { folder, path, manifest: JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) }
    })
    .filter(({ manifest }) => manifest.private !== true)
}

/** Entry points of a package with code: export name (`.`, `./node`) and built file. */
export function entryPoints({ path, manifest }) {
  return Object.entries(manifest.exports)
    .filter(([, target]) => typeof target === 'object')
    .map(([name, target]) => ({
      name,
      file: join(path, target.default),
      types: join(path, target.types),
      suffix: name === '.' ? '' : `-${name.slice(2).replaceAll('/', '-')}`,
    }))
}

const EXACT = /^(\d+\.\d+\.\d+|workspace:\^)$/

/** Problems of a manifest: licence, texts for the registry, entry points, files, versions. */
export function manifestProblems({ folder, path, manifest }) {
  const problems = []
  const expect = (holds, message) => {
    if (!holds) problems.push(`packages/${folder}/package.json: ${message}`)
  }
  expect(manifest.name?.startsWith('@spica/'), 'name must start with @spica/')
  expect(manifest.license === 'Apache-2.0', 'license must be Apache-2.0')
  expect(manifest.type === 'module', 'type must be module')
  expect((manifest.description ?? '').length > 20, 'description is missing or too short')
  expect((manifest.keywords ?? []).length >= 3, 'keywords are missing')
  expect(manifest.repository?.directory === `packages/${folder}`, 'repository.directory is wrong')
  expect(manifest.engines?.node === '>=20.20.0', 'engines.node must be >=20.20.0')
  expect(manifest.sideEffects !== undefined, 'sideEffects is missing')
  for (const name of ['dist', 'LICENSE', 'README.md']) expect(manifest.files?.includes(name), `files lacks ${name}`)
  expect(typeof manifest.exports?.['.']?.default === 'string', 'exports["."].default is missing')
  for (const { name, file, types } of entryPoints({ path, manifest })) {
    expect(existsSync(file), `exports["${name}"] points at a file that was not built`)
    expect(existsSync(types), `exports["${name}"].types points at a file that was not built`)
  }
  for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies'])
    for (const [name, version] of Object.entries(manifest[kind] ?? {}))
      expect(EXACT.test(version), `${kind}.${name} must be pinned exactly, not ${version}`)
  const license = join(path, 'LICENSE')
  expect(existsSync(license) && readFileSync(license, 'utf8').includes('Apache License'), 'LICENSE file is missing')
  const readme = existsSync(join(path, 'README.md')) ? readFileSync(join(path, 'README.md'), 'utf8') : ''
  expect(/^```js$/m.test(readme), 'README.md has no ```js example')
  expect(
    /experimental/i.test(readme) && /not guarantees/.test(readme),
    'README.md does not say that figures are predictions, not guarantees',
  )
  return problems
}
