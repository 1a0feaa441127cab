// Shared by the other scripts: the pinned package manager, an install from the lock file, and a build. Node built-ins only.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))
const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const pinned = manifest.packageManager.replace(/^pnpm@/, '')

/** Runs a command in the repository, showing its output; returns its exit code. */
export function run(command, args, options = {}) {
  const result = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1' },
    ...options,
  })
  if (result.error !== undefined) {
    process.stderr.write(`cannot run ${command}: ${result.error.message}\n`)
    return 127
  }
  return result.status ?? 1
}

/** Command and leading arguments of the pinned pnpm: the installed one when it has that version, else through npx. */
export function pnpmCommand() {
  const found = spawnSync('pnpm', ['--version'], { cwd: root, encoding: 'utf8' })
  if (found.status === 0 && found.stdout.trim() === pinned) return ['pnpm']
  return ['npx', '--yes', `pnpm@${pinned}`]
}

/** Runs pnpm; returns its exit code. */
export function pnpm(args, options) {
  const [command, ...leading] = pnpmCommand()
  return run(command, [...leading, ...args], options)
}

/** Installs from the lock file and builds; exits when either fails. `npx tsc -b` is the quicker build, turbo the whole one. */
export function installAndBuild({ quick = false } = {}) {
  step('installing packages', pnpm(['install', '--frozen-lockfile', '--prefer-offline']))
  const build = quick
    ? ['exec', 'tsc', '-b']
    : ['exec', 'turbo', 'run', 'build', '--filter=!@spica/docs', '--output-logs=errors-only']
  step('building', pnpm(build))
}

/** Ends the process with a message when a step failed. */
export function step(name, code) {
  if (code === 0) return
  process.stderr.write(`\n${name} failed (exit code ${code})\n`)
  process.exit(code)
}
