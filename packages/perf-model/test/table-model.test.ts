import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { perfModelContract } from '../src/contract/index.js'
import { createLoadedTableModel, createTableModel, loadTables, PerfDatabase } from '../src/index.js'
import { openPerfDatabase } from '../src/node/index.js'
import { llama, subject } from './support/subjects.js'
import { gemmRows, parquetOf, prefillAttentionRows, writeTinyDatabase } from './support/tiny-database.js'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'spica-table-'))
  writeTinyDatabase(join(folder, 'systems'))
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('opening a database', () => {
  it('accepts the folder with data/ and its parent', () => {
    expect(openPerfDatabase(folder).skus()).toEqual(['h200_sxm'])
    expect(openPerfDatabase(join(folder, 'systems')).versions('h200_sxm', 'vllm')).toEqual(['1.0.0', '0.9.0'])
  })

  it('names what is missing', async () => {
    expect(() => openPerfDatabase(join(folder, 'nowhere'))).toThrow(/there is no performance database/)
    expect(() => openPerfDatabase(tmpdir())).toThrow(/holds no data\/ folder/)
    const database = openPerfDatabase(folder)
    await expect(createTableModel(database, subject('meta-llama/Meta-Llama-3.1-8B', 'b200_sxm'))).rejects.toThrow(
      /no measurements of b200_sxm/,
    )
    await expect(createTableModel(database, { ...llama, backend: 'sglang' })).rejects.toThrow(/no sglang measurements/)
    await expect(createTableModel(database, { ...llama, backendVersion: '7.0' })).rejects.toMatchObject({
      code: 'perf-table-missing',
      hint: 'its versions are 1.0.0, 0.9.0',
    })
    const other = subject('Qwen/Qwen3-30B-A3B', 'h200_sxm')
    await expect(createTableModel(database, other)).rejects.toThrow(
      /no measurement of context_attention_perf for .*num_heads=32, num_key_value_heads=4.*on h200_sxm with vllm 1.0.0/,
    )
  })

  it('says which file is truncated or foreign', async () => {
    const broken = mkdtempSync(join(tmpdir(), 'spica-broken-'))
    writeTinyDatabase(broken)
    const path = join(broken, 'data/h200_sxm/attention/vllm/1.0.0/context_attention_perf.parquet')
    truncateSync(path, 100)
    await expect(createTableModel(openPerfDatabase(broken), llama)).rejects.toMatchObject({
      code: 'perf-table-unreadable',
    })
    writeFileSync(path, 'PAR1 this is not parquet at all PAR1')
    await expect(createTableModel(openPerfDatabase(broken), llama)).rejects.toThrow(
      /context_attention_perf.parquet is not/,
    )
    writeFileSync(path, parquetOf([{ name: 'x', value: 3 }]))
    await expect(createTableModel(openPerfDatabase(broken), llama)).rejects.toThrow(/no latency column/)
    writeFileSync(path, parquetOf(prefillAttentionRows().map((row) => ({ ...row, latency: Number.NaN }))))
    await expect(createTableModel(openPerfDatabase(broken), llama)).rejects.toThrow(/row 1 has a latency of NaN/)
    writeFileSync(join(broken, 'data/h200_sxm/gemm/vllm/1.0.0/reuse.yaml'), 'reuse: [unclosed')
    expect(() => openPerfDatabase(broken)).toThrow(/is not YAML/)
    rmSync(broken, { recursive: true })
  })
})

describe('looking times up', () => {
  it('returns measured times exactly and says so', async () => {
    const model = await createTableModel(openPerfDatabase(folder), { ...llama, compat: 'aic-0.11' })
    const operators = model.explain({ phase: 'prefill', batch: 8, isl: 128, prefix: 0 })
    const output = operators.find((operator) => operator.name === 'context_proj_gemm')!
    const row = gemmRows(1).find(({ m, n, k }) => m === 1024 && n === 4096 && k === 4096)!
    expect(output.ms).toBeCloseTo(32 * (row['latency'] as number), 9)
    expect(output.source).toBe('measured')
  })

  it('interpolates between sizes, and beyond them holds the utilisation', async () => {
    const model = await createTableModel(openPerfDatabase(folder), { ...llama, compat: 'aic-0.11' })
    const sourceAt = (isl: number): string | undefined =>
      model.explain({ phase: 'prefill', batch: 1, isl, prefix: 0 }).find(({ name }) => name === 'context_proj_gemm')
        ?.source
    expect(sourceAt(1024)).toBe('measured')
    expect(sourceAt(1500)).toBe('interpolated')
    expect(sourceAt(20_000)).toBe('extrapolated')
    expect(model.prefillMs(1, 20_000, 0)).toBeGreaterThan(model.prefillMs(1, 8192, 0) * 2)
  })

  it('borrows declared tables, and fails without them', async () => {
    const bare = mkdtempSync(join(tmpdir(), 'spica-bare-'))
    writeTinyDatabase(bare, { without: ['gemm_perf'] })
    await expect(createTableModel(openPerfDatabase(bare), llama)).rejects.toThrow(/no measurement of gemm_perf/)
    rmSync(bare, { recursive: true })
  })

  it('keeps the contract of every perf model by default', async () => {
    const database = openPerfDatabase(folder)
    await loadTables(database, llama)
    for (const check of perfModelContract(() => createLoadedTableModel(database, llama))) check.run()
  })

  it('asks for one phase only when told so', async () => {
    const half = mkdtempSync(join(tmpdir(), 'spica-half-'))
    writeTinyDatabase(half, { without: ['context_attention_perf'] })
    const database = openPerfDatabase(half)
    await expect(createTableModel(database, llama)).rejects.toThrow(/context_attention_perf/)
    const model = await createTableModel(database, { ...llama, phases: ['decode'] })
    expect(model.decodeMs(4, 0, 500, 0)).toBeGreaterThan(0)
    expect(() => model.prefillMs(1, 10, 0)).toThrow(/without its prefill phase/)
    rmSync(half, { recursive: true })
  })
})

describe('sharing', () => {
  it('hands loaded tables to another thread without a copy', async () => {
    const database = openPerfDatabase(folder)
    const model = await createTableModel(database, llama)
    const shared = structuredClone(database.toShared())
    const again = PerfDatabase.fromShared(shared)
    const twin = createLoadedTableModel(again, llama)
    expect(twin.prefillMs(3, 777, 0)).toBe(model.prefillMs(3, 777, 0))
    const column = Object.values(shared.tables)[0]!.numbers['latency']!
    expect(column.buffer).toBeInstanceOf(SharedArrayBuffer)
    await expect(again.load(llama.hardware, 'vllm', '1.0.0', ['moe_perf'])).resolves.toBeUndefined()
  })

  it('answers the same from the cache on disk, and survives a damaged one', async () => {
    const cacheFolder = join(folder, 'cache')
    const times: number[] = []
    for (let round = 0; round < 3; round++) {
      const model = await createTableModel(openPerfDatabase(folder, { cacheFolder }), llama)
      times.push(model.decodeMs(5, 0, 900, 0))
    }
    expect(new Set(times).size).toBe(1)
  })
})
