#!/usr/bin/env node
// Packs every publishable package into a folder: `node scripts/pack.mjs FOLDER`. Builds first.
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pnpm, root, step } from './bootstrap.mjs'

const folder = resolve(process.argv[2] ?? join(root, 'deploy', 'packages'))
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
step('building', pnpm(['exec', 'turbo', 'run', 'build', '--filter=!@spica/docs', '--output-logs=errors-only']))
for (const name of readdirSync(join(root, 'packages'))) {
  const manifest = JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'))
  if (manifest.private === true) continue
  step(
    `packing ${manifest.name}`,
    pnpm(['pack', '--pack-destination', folder], { cwd: join(root, 'packages', name), stdio: 'ignore' }),
  )
}
process.stdout.write(`${readdirSync(folder).join('\n')}\n`)
