import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProfileModel, createTableModel } from '../src/index.js'
import { openPerfDatabase, readPlannerProfile } from '../src/node/index.js'
import { llama } from './support/subjects.js'
import { writeTinyDatabase } from './support/tiny-database.js'
import { npyOf, zipOf } from './support/zip-writer.js'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'spica-archives-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const TABLES = [
  'data/h200_sxm/gemm/vllm/0.9.0/gemm_perf.parquet',
  'data/h200_sxm/attention/vllm/1.0.0/context_attention_perf.parquet',
  'data/h200_sxm/attention/vllm/1.0.0/generation_attention_perf.parquet',
  'data/h200_sxm/gemm/vllm/1.0.0/reuse.yaml',
]

describe('a wheel as database', () => {
  it('answers as the folder does', async () => {
    const root = join(folder, 'plain')
    writeTinyDatabase(root)
    const wheel = join(folder, 'core.whl')
    const files = TABLES.map((path) => [`aiconfigurator_core/systems/${path}`, readFileSync(join(root, path))] as const)
    writeFileSync(wheel, zipOf({ 'aiconfigurator_core/__init__.py': Buffer.from(''), ...Object.fromEntries(files) }))
    const fromWheel = await createTableModel(openPerfDatabase(wheel), llama)
    const fromFolder = await createTableModel(openPerfDatabase(root), llama)
    expect(fromWheel.prefillMs(3, 700, 0)).toBe(fromFolder.prefillMs(3, 700, 0))
  })

  it('names what is wrong with an archive', async () => {
    const path = join(folder, 'bad.whl')
    writeFileSync(path, 'not an archive')
    expect(() => openPerfDatabase(path)).toThrow(/no zip archive/)
    writeFileSync(path, zipOf({ 'readme.txt': Buffer.from('x') }))
    expect(() => openPerfDatabase(path)).toThrow(/without systems\/data/)
    const parquet = Object.fromEntries(TABLES.slice(1).map((name) => [`systems/${name}`, Buffer.from('cut')]))
    writeFileSync(path, zipOf(parquet))
    await expect(createTableModel(openPerfDatabase(path), llama)).rejects.toMatchObject({
      code: 'perf-table-unreadable',
    })
  })
})

describe('a planner profile', () => {
  const arrays = {
    'prefill_isl.npy': npyOf([100, 1000], '2,'),
    'prefill_ttft_ms.npy': npyOf([10, 100], '2,'),
    'decode_active_kv_tokens.npy': npyOf([0, 1000], '2,'),
    'decode_context_length.npy': npyOf([100, 300], '2,'),
    'decode_itl.npy': npyOf([1, 3, 2, 4], '2, 2'),
  }

  it('interpolates linearly and goes on beyond its ends', () => {
    const path = join(folder, 'profile.npz')
    writeFileSync(path, zipOf(arrays))
    const model = createProfileModel(readPlannerProfile(path))
    expect(model.prefillMs(2, 275, 0)).toBeCloseTo(55, 9)
    expect(model.prefillMs(1, 2000, 0)).toBeCloseTo(200, 9)
    expect(model.decodeMs(1, 500, 200, 0)).toBeCloseTo(2.5, 9)
    expect(model.decodeMs(1, 2000, 400, 0)).toBeCloseTo(6, 9)
    expect(model.decodeMs(0, 500, 200, 0)).toBe(0)
    expect(model.explain({ phase: 'decode', batch: 1, context: 200, activeKvTokens: 500 })[0]?.ms).toBeCloseTo(2.5, 9)
  })

  it('refuses files and arrays it cannot use', () => {
    const path = join(folder, 'bad.npz')
    const { 'decode_itl.npy': _, ...partial } = arrays
    writeFileSync(path, zipOf(partial))
    expect(() => readPlannerProfile(path)).toThrow(/no array decode_itl/)
    writeFileSync(path, zipOf({ ...arrays, 'decode_itl.npy': Buffer.from('junk') }))
    expect(() => readPlannerProfile(path)).toThrow(/decode_itl is no NPY array/)
    writeFileSync(path, zipOf({ ...arrays, 'prefill_isl.npy': npyOf([5, 4], '2,') }))
    expect(() => createProfileModel(readPlannerProfile(path))).toThrow(/prefill_isl must rise/)
    writeFileSync(path, zipOf({ ...arrays, 'decode_itl.npy': npyOf([1, 2], '2,') }))
    expect(() => createProfileModel(readPlannerProfile(path))).toThrow(/decode_itl has 2 values, expected 4/)
  })
})
