import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createOptimizer, createQuasiRandomOptimizer, createRandomOptimizer } from '@spica/optimizer-gp'
import { type CreateOptimizer, closestMatch, SpicaError } from '@spica/schema'

const BUILT_IN: Readonly<Record<string, CreateOptimizer>> = {
  gp: createOptimizer,
  random: createRandomOptimizer,
  'quasi-random': createQuasiRandomOptimizer,
}

const PACKAGE_NAME = /^(@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/

/**
 * The optimiser of that name: a built-in one, or the `createOptimizer` of a package found in `node_modules` of the
 * config's folder or one above it, and nowhere else.
 */
export async function loadOptimizer(name: string, configFolder: string): Promise<CreateOptimizer> {
  const builtIn = Object.hasOwn(BUILT_IN, name) ? BUILT_IN[name] : undefined
  if (builtIn !== undefined) return builtIn
  const entry = PACKAGE_NAME.test(name) ? packageEntry(name, configFolder) : null
  if (entry === null) {
    const near = closestMatch(name, Object.keys(BUILT_IN))
    throw new SpicaError('input', 'unknown-optimizer', `there is no optimiser "${name}"`, {
      hint: near
        ? `did you mean ${near}?`
        : `built in are ${Object.keys(BUILT_IN).join(', ')}; a package must be installed beside the config, in ${configFolder}`,
    })
  }
  const loaded = (await importPackage(name, entry)) as { createOptimizer?: unknown }
  if (typeof loaded.createOptimizer !== 'function')
    throw new SpicaError('input', 'invalid-optimizer', `${name} exports no function createOptimizer`)
  return loaded.createOptimizer as CreateOptimizer
}

async function importPackage(name: string, entry: string): Promise<unknown> {
  try {
    return await import(pathToFileURL(entry).href)
  } catch (error) {
    throw new SpicaError(
      'input',
      'broken-optimizer',
      `the optimiser ${name} cannot be loaded: ${(error as Error).message}`,
      {
        cause: error,
      },
    )
  }
}

/** File to import for a package, or null when the folder and those above have none of that name. */
function packageEntry(name: string, folder: string): string | null {
  for (let at = folder; ; at = dirname(at)) {
    const root = join(at, 'node_modules', name)
    if (existsSync(join(root, 'package.json'))) return entryOf(name, realpathSync(root))
    if (dirname(at) === at) return null
  }
}

function entryOf(name: string, root: string): string {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, unknown>
  const target = exportTarget(manifest['exports']) ?? manifest['main'] ?? 'index.js'
  const entry = join(root, String(target))
  if (relative(root, entry).startsWith('..') || !existsSync(entry))
    throw new SpicaError('input', 'broken-optimizer', `the optimiser ${name} has no file ${String(target)}`)
  return entry
}

/** What `import` of the package's root resolves to. */
function exportTarget(exports: unknown): string | null {
  if (typeof exports === 'string') return exports
  if (exports === null || typeof exports !== 'object') return null
  const record = exports as Record<string, unknown>
  if (record['.'] !== undefined) return exportTarget(record['.'])
  for (const condition of ['node', 'import', 'default']) {
    const target = record[condition] === undefined ? null : exportTarget(record[condition])
    if (target !== null) return target
  }
  return null
}
