#!/usr/bin/env node
// Dependency direction of the workspace: which package may import which, and who may use node: modules,
// clocks and ambient randomness. Exits 1 with one line per violation.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'

const ALLOWED = {
  schema: [],
  catalog: ['schema'],
  'kv-estimate': ['schema', 'catalog'],
  'perf-model': ['schema', 'catalog'],
  'parallel-enum': ['schema'],
  scorer: ['schema'],
  'optimizer-gp': ['schema', 'scorer/pareto'],
  planner: ['schema'],
  'replay-sim': ['schema'],
  'spica-cli': ['*'],
}
const PURE = Object.keys(ALLOWED).filter((name) => name !== 'spica-cli')

function* walk(folder) {
  for (const entry of readdirSync(folder)) {
    const path = join(folder, entry)
    if (statSync(path).isDirectory()) yield* walk(path)
    else if (path.endsWith('.ts')) yield path
  }
}

const problems = []
const root = new URL('..', import.meta.url).pathname
for (const [name, allowed] of Object.entries(ALLOWED)) {
  const source = join(root, 'packages', name, 'src')
  const manifest = JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'))
  const declared = new Set([
    ...Object.keys(manifest.dependencies ?? {}),
    ...Object.keys(manifest.peerDependencies ?? {}),
    ...Object.keys(manifest.optionalDependencies ?? {}),
  ])
  for (const path of walk(source)) {
    const text = readFileSync(path, 'utf8')
    const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[^:])\/\/.*$/gm, '$1')
    const where = relative(root, path)
    const isNodeEntry = path.includes(`${join('src', 'node')}/`)
    for (const match of code.matchAll(/(?:from\s+|import\s*\(\s*|import\s+)['"]([^'"]+)['"]/g)) {
      const target = match[1]
      if (!/^[@.a-z]/.test(target)) continue
      if (target.startsWith('.')) {
        if (relative(join(source, '..'), join(path, '..', target)).startsWith('..'))
          problems.push(`${where}: reaches outside its package: ${target}`)
        continue
      }
      if (target.startsWith('node:')) {
        if (name !== 'spica-cli' && !isNodeEntry) problems.push(`${where}: ${target} outside spica-cli and src/node/`)
        continue
      }
      const packageName = target.startsWith('@') ? target.split('/').slice(0, 2).join('/') : target.split('/')[0]
      if (!declared.has(packageName)) problems.push(`${where}: ${packageName} is not a declared dependency`)
      if (packageName.startsWith('@spica/') && !allowed.includes('*')) {
        const short = target.slice('@spica/'.length)
        if (!allowed.includes(short) && !allowed.includes(short.replace(/\/(node|core)$/, '')))
          problems.push(`${where}: ${name} may not import ${target}`)
      }
    }
    if (PURE.includes(name) && !isNodeEntry) {
      if (/\bMath\.random\(|\bDate\.now\(|\bnew Date\(\)/.test(code))
        problems.push(`${where}: ambient clock or randomness`)
    }
  }
}
if (problems.length > 0) {
  process.stderr.write(problems.join('\n') + '\n')
  process.exit(1)
}
process.stdout.write(`dependency direction holds for ${Object.keys(ALLOWED).length} packages\n`)
