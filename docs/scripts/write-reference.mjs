// Writes the reference pages that follow from code: configuration (JSON Schema) and command line (command table).
// With --check it changes nothing and exits 1 when a page is out of date. Needs built packages.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { cliReference } from './cli-reference.mjs'
import { configReference } from './config-reference.mjs'

const pages = { 'config.md': configReference, 'cli.md': cliReference }
const check = process.argv.includes('--check')
let stale = 0
for (const [name, render] of Object.entries(pages)) {
  const file = fileURLToPath(new URL(`../reference/${name}`, import.meta.url))
  const text = await render()
  const old = readOptional(file)
  if (old === text) continue
  if (check) {
    stale++
    process.stderr.write(`docs/reference/${name} is out of date: run node docs/scripts/write-reference.mjs\n`)
  } else {
    writeFileSync(file, text)
    process.stdout.write(`wrote docs/reference/${name}\n`)
  }
}
process.exit(stale > 0 ? 1 : 0)

function readOptional(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT') return null
    throw error
  }
}
