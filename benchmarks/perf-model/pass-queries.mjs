#!/usr/bin/env node
// Pass queries per second and core, and the time to open a perf database for one model.
//
//   node benchmarks/perf-model/pass-queries.mjs [--perf-db FOLDER]
//
// Build first. The baseline is the naive form: the model made anew for every query, as a stateless service would.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findHardware, findModel } from '../../packages/catalog/dist/index.js'
import { createRooflineModel } from '../../packages/perf-model/dist/index.js'
import { createTableModel, openPerfDatabase } from '../../packages/perf-model/dist/node/index.js'

const { values: flags } = parseArgs({ options: { 'perf-db': { type: 'string' } } })
const SUBJECTS = [
  ['meta-llama/Meta-Llama-3.1-8B', 'h200_sxm', { tp: 1, attentionDp: 1, moeTp: 1, moeEp: 1 }],
  ['Qwen/Qwen3-235B-A22B', 'h200_sxm', { tp: 4, attentionDp: 1, moeTp: 1, moeEp: 4 }],
  ['deepseek-ai/DeepSeek-V3', 'h200_sxm', { tp: 1, attentionDp: 8, moeTp: 1, moeEp: 8 }],
  ['zai-org/GLM-5-FP8', 'h200_sxm', { tp: 8, attentionDp: 1, moeTp: 1, moeEp: 8 }],
]
const QUERIES = 200_000

/** CPU seconds of a run, the least of five. */
function cpuSeconds(run) {
  let least = Number.POSITIVE_INFINITY
  for (let repeat = 0; repeat < 5; repeat++) {
    const before = process.cpuUsage()
    run()
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / 1e6)
  }
  return least
}

/** Millions of queries per CPU second, three decode passes for every prefill pass, no two alike. */
function throughput(model) {
  let sum = 0
  const seconds = cpuSeconds(() => {
    for (let i = 0; i < QUERIES; i += 4) {
      const batch = 1 + (i % 251)
      sum += model.prefillMs(1 + (i % 7), 100 + (i % 8001), i % 97)
      sum += model.decodeMs(batch, 0, 200 + (i % 30_011), 0)
      sum += model.decodeMs(batch, 0, 201 + (i % 30_011), 0)
      sum += model.decodeMs(batch, 0, 202 + (i % 30_011), 0)
    }
  })
  return { rate: QUERIES / seconds / 1e6, sum }
}

const subjectOf = ([name, sku, shape]) => ({
  model: findModel(name),
  hardware: findHardware(sku),
  backend: 'vllm',
  shape,
})
const line = (...cells) =>
  console.log(cells.map((cell, index) => (index === 0 ? cell.padEnd(34) : String(cell).padStart(14))).join(''))

line('model', 'perf model', 'M queries/s', 'vs made anew')
for (const entry of SUBJECTS) {
  const subject = subjectOf(entry)
  const { rate } = throughput(createRooflineModel(subject))
  const anew =
    200 /
    cpuSeconds(() => {
      for (let i = 0; i < 200; i++) createRooflineModel(subject).decodeMs(1 + i, 0, 500, 0)
    })
  line(entry[0], 'roofline', rate.toFixed(2), `${((rate * 1e6) / anew).toFixed(0)}×`)
}
if (flags['perf-db']) {
  const cacheFolder = mkdtempSync(join(tmpdir(), 'spica-columns-'))
  for (const entry of SUBJECTS) {
    const subject = subjectOf(entry)
    for (const compat of [undefined, 'aic-0.11']) {
      const model = await createTableModel(openPerfDatabase(flags['perf-db'], { cacheFolder }), {
        ...subject,
        ...(compat ? { compat } : {}),
      })
      line(entry[0], compat ? 'table, compat' : 'table', throughput(model).rate.toFixed(2), '')
    }
  }
  line('\nopening for one model', 'first ms', 'cached ms', 'same db ms')
  for (const entry of SUBJECTS) {
    const subject = subjectOf(entry)
    const folder = mkdtempSync(join(tmpdir(), 'spica-columns-'))
    const times = []
    let database
    for (let round = 0; round < 2; round++) {
      const before = performance.now()
      database = openPerfDatabase(flags['perf-db'], { cacheFolder: folder })
      await createTableModel(database, subject)
      times.push(performance.now() - before)
    }
    const before = performance.now()
    await createTableModel(database, { ...subject, shape: { ...subject.shape } })
    times.push(performance.now() - before)
    line(entry[0], ...times.map((ms) => ms.toFixed(0)))
    rmSync(folder, { recursive: true })
  }
  rmSync(cacheFolder, { recursive: true })
}
