import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as core from '../src/core.js'
import * as index from '../src/index.js'

/** Modules that `file` loads at run time, directly or not. */
function loaded(file: URL, seen = new Set<string>()): Set<string> {
  if (seen.has(file.href)) return seen
  seen.add(file.href)
  const source = readFileSync(file, 'utf8')
  const statements = /^(?:import|export)\s(?!type\b)[^'"]*?from '([^']+)'/gms
  for (const [, target] of source.matchAll(statements)) {
    if (target === undefined) continue
    if (target.startsWith('.')) loaded(new URL(target.replace(/\.js$/, '.ts'), file), seen)
    else seen.add(target)
  }
  return seen
}

describe('@spica/schema/core', () => {
  it('loads neither zod nor yaml', () => {
    const modules = loaded(new URL('../src/core.ts', import.meta.url))
    expect(modules.size).toBeGreaterThan(10)
    expect([...modules].filter((module) => !module.startsWith('file:'))).toEqual([])
    expect([...loaded(new URL('../src/index.ts', import.meta.url))]).toEqual(expect.arrayContaining(['zod', 'yaml']))
  })

  it('is part of the package entry', () => {
    expect(index).toMatchObject(core)
  })

  it('has the defaults of the loader', () => {
    const names = { model_name: 'm', hardware_sku: 's' }
    const result = index.loadConfigValue({ search_space: names, workload: { trace_path: 't' } })
    expect(result.ok && result.config.search_space).toEqual({ ...core.SEARCH_SPACE_DEFAULTS, ...names })
  })
})
