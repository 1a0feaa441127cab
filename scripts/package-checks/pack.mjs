// Tarballs as they would be published, and the registry's linters over them.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { pnpmCommand, root } from '../bootstrap.mjs'

/** Packs a package into `folder`; answers the tarball's path. */
export function pack(pkg, folder) {
  const [command, ...leading] = pnpmCommand()
  const before = new Set(readdirSync(folder))
  const result = spawnSync(command, [...leading, 'pack', '--pack-destination', folder], {
    cwd: pkg.path,
    encoding: 'utf8',
  })
  if (result.status !== 0)
    throw new Error(`pnpm pack failed for ${pkg.manifest.name}: ${result.stderr}${result.stdout}`)
  const made = readdirSync(folder).filter((name) => name.endsWith('.tgz') && !before.has(name))
  if (made.length !== 1) throw new Error(`pnpm pack made ${made.length} files for ${pkg.manifest.name}`)
  return join(folder, made[0])
}

/** What publint says of the packed files. */
export async function publintProblems(pkg, tarball) {
  const bytes = readFileSync(tarball)
  const data = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)
  const { messages } = await publint({ pack: { tarball: data }, strict: true })
  return messages.map((message) => `${pkg.manifest.name}: ${formatMessage(message, pkg.manifest)}`)
}

/** What attw says of the types in a tarball, for consumers that use ES modules. */
export function attwProblems(pkg, tarball) {
  const result = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules', '@arethetypeswrong', 'cli', 'dist', 'index.js'),
      tarball,
      '--profile',
      'esm-only',
      '--no-color',
      '--format',
      'ascii',
    ],
    { encoding: 'utf8', cwd: root },
  )
  return result.status === 0 ? [] : [`${pkg.manifest.name}: attw\n${result.stdout}${result.stderr}`]
}
