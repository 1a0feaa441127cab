#!/usr/bin/env node
// Fits the roofline's coefficients and prints their error on points and models the fit never saw.
//
//   node calibration/calibrate.mjs [--perf-db FOLDER] [--operators operator-latency.json.gz] [--passes pass-latency.json.gz]
//                                  [--leave-out] [--write] [--groups]
//
// At least one of --perf-db and --operators is needed. --leave-out refits once per model of the reference rows without its
// rows and without its expert shapes, and prints the error on it. --write replaces src/data/roofline-coefficients.ts.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { findHardware, findModel } from '@spica/catalog'
import { openPerfDatabase } from '../dist/node/index.js'
import { passErrors, summary } from './evaluate.mjs'
import { fitAll, tableSamples } from './fit-database.mjs'
import { referenceSamples } from './reference-samples.mjs'
import { writeCoefficients } from './write-coefficients.mjs'

const { values: flags } = parseArgs({
  options: {
    'perf-db': { type: 'string' },
    operators: { type: 'string' },
    passes: { type: 'string' },
    'leave-out': { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    groups: { type: 'boolean', default: false },
    quiet: { type: 'boolean', default: false },
  },
})
if (!flags['perf-db'] && !flags.operators) {
  process.stderr.write('give --perf-db, --operators or both\n')
  process.exit(2)
}

const readJson = (path) => {
  const bytes = readFileSync(path)
  return JSON.parse(path.endsWith('.gz') ? gunzipSync(bytes) : bytes)
}
const operatorRows = flags.operators ? readJson(flags.operators).rows : []
const passRows = flags.passes ? readJson(flags.passes).rows : operatorRows
const print = (text) => process.stdout.write(`${text}\n`)

const places = []
const database = flags['perf-db'] ? openPerfDatabase(flags['perf-db']) : null
if (database !== null) {
  for (const sku of database.skus()) {
    for (const backend of ['vllm', 'sglang', 'trtllm']) {
      const hasOwn = database.index.files.some((file) => file.sku === sku && file.backend === backend)
      if (hasOwn) places.push({ hardware: findHardware(sku), backend, version: database.resolveVersion(sku, backend) })
    }
  }
}
const started = process.cpuUsage()
const tables = database === null ? new Map() : await tableSamples(database, places)
const references = referenceSamples(operatorRows)
const skus = new Set([...tables.keys(), ...references.keys()].map((id) => id.split('|')[1]))
const smVersions = Object.fromEntries([...skus].sort().map((sku) => [sku, findHardware(sku).gpu.smVersion]))

print(
  'family            sku       backend variant                         held-out table  points  held-out reference  values',
)
const sets = fitAll(tables, references, findHardware, flags.quiet ? {} : { log: print })
const table = { smVersions, sets }
print(
  `${sets.length} sets, ${sets.reduce((sum, set) => sum + set.values.length, 0)} numbers, ${(process.cpuUsage(started).user / 1e6).toFixed(0)} s CPU`,
)

function report(title, rows, coefficients, groupOf) {
  print(`\n${title}: median, 90th percentile, points`)
  const groups = passErrors(rows, coefficients, groupOf, rows === operatorRows)
  for (const [name, errors] of [...groups].sort(([a], [b]) => (a < b ? -1 : 1)))
    print(`  ${name.padEnd(46)}${summary(errors)}`)
}

if (passRows.length > 0) {
  report('all passes', passRows, table, () => 'all')
  report('by phase', passRows, table, (_row, phase) => phase)
  report('by model and phase', passRows, table, (row, phase) => `${row.model} ${phase}`)
  report('by SKU, backend and phase', passRows, table, (row, phase) => `${row.sku} ${row.backend} ${phase}`)
  if (flags.groups)
    report('by model, SKU and phase', passRows, table, (row, phase) => `${row.model} ${row.sku} ${phase}`)
}

if (flags['leave-out']) {
  const models = [...new Set(passRows.map((row) => row.model))].sort()
  for (const name of models) {
    const { moe } = findModel(name)
    const exclude = (family, kernel) =>
      family === 'experts' &&
      moe !== null &&
      kernel.experts === moe.experts &&
      kernel.interSize === moe.interSize &&
      kernel.hiddenSize === findModel(name).hiddenSize
    const without = referenceSamples(operatorRows, (row) => row.model === name)
    const refitted = { smVersions, sets: fitAll(tables, without, findHardware, { exclude }) }
    const rows = passRows.filter((row) => row.model === name)
    report(`left out ${name}`, rows, refitted, (_row, phase) => phase)
  }
}

if (flags.write) writeCoefficients(join(import.meta.dirname, '..', 'src', 'data', 'roofline-coefficients.ts'), table)
