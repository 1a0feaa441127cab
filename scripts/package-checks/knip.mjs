// Unused files, exports and dependencies, by the settings in knip.json.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { root } from '../bootstrap.mjs'

/** What knip finds; empty when clean. */
export function knipProblems() {
  const bin = join(root, 'node_modules', 'knip', 'bin', 'knip.js')
  const result = spawnSync(process.execPath, [bin, '--no-progress', '--no-config-hints'], {
    cwd: root,
    encoding: 'utf8',
  })
  return result.status === 0 ? [] : [`knip\n${result.stdout}${result.stderr}`]
}
