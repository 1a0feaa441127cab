import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parquetWriteBuffer } from 'hyparquet-writer'

type Row = Readonly<Record<string, string | number>>

/** Bytes of a parquet file with these rows. */
export function parquetOf(rows: readonly Row[]): Uint8Array {
  const names = Object.keys(rows[0]!)
  const columnData = names.map((name) => {
    const isText = typeof rows[0]![name] === 'string'
    const isWhole = !isText && name !== 'latency'
    const data = rows.map((row) => row[name]!)
    return { name, data, type: isText ? ('STRING' as const) : isWhole ? ('INT32' as const) : ('DOUBLE' as const) }
  })
  return new Uint8Array(parquetWriteBuffer({ columnData }))
}

const POWERS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192]

/** GEMM sweep over rows for two neighbouring shapes; `factor` scales every time. */
export function gemmRows(factor: number): readonly Row[] {
  const rows: Row[] = []
  for (const [n, k] of [
    [4096, 4096],
    [8192, 4096],
    [4096, 8192],
    [8192, 8192],
    [16_384, 4096],
    [65_536, 4096],
  ] as const) {
    for (const m of POWERS) {
      rows.push({
        gemm_dtype: 'bfloat16',
        kernel_source: 'default',
        m,
        n,
        k,
        latency: factor * (0.004 + (n * k * 2) / 4e9 + (2 * m * n * k) / 6e11),
      })
    }
  }
  return rows
}

export function prefillAttentionRows(): readonly Row[] {
  const rows: Row[] = []
  for (const isl of [16, 128, 512, 1024, 4096, 8192]) {
    for (const batch of [1, 2, 8, 32]) {
      if (isl * batch > 40_000) continue
      rows.push({
        attn_dtype: 'bfloat16',
        kv_cache_dtype: 'bfloat16',
        kernel_source: 'fa',
        batch_size: batch,
        isl,
        num_heads: 32,
        num_key_value_heads: 8,
        head_dim: 128,
        window_size: 0,
        step: 0,
        latency: 0.01 + (batch * isl * isl * 32 * 128 * 2) / 5e11,
      })
    }
  }
  return rows
}

export function decodeAttentionRows(): readonly Row[] {
  const rows: Row[] = []
  for (const step of [1, 127, 511, 1023, 4095, 16_383]) {
    for (const batch of [1, 4, 16, 64, 256]) {
      rows.push({
        kv_cache_dtype: 'bfloat16',
        kernel_source: 'fa',
        batch_size: batch,
        isl: 1,
        num_heads: 32,
        num_key_value_heads: 8,
        head_dim: 128,
        window_size: 0,
        step,
        latency: 0.01 + (batch * step * 8 * 128 * 4) / 4e9,
      })
    }
  }
  return rows
}

export interface TinyDatabaseOptions {
  /** Tables to leave out, by name. */
  readonly without?: readonly string[]
}

/** Writes a database for Llama-3.1-8B-like attention on `h200_sxm` with vLLM 1.0.0, GEMM borrowed from 0.9.0. */
export function writeTinyDatabase(root: string, options: TinyDatabaseOptions = {}): void {
  const write = (path: string, bytes: Uint8Array | string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), bytes)
  }
  const tables: Readonly<Record<string, () => Uint8Array>> = {
    'gemm/vllm/0.9.0/gemm_perf': () => parquetOf(gemmRows(1)),
    'attention/vllm/1.0.0/context_attention_perf': () => parquetOf(prefillAttentionRows()),
    'attention/vllm/1.0.0/generation_attention_perf': () => parquetOf(decodeAttentionRows()),
  }
  for (const [path, make] of Object.entries(tables)) {
    if (!options.without?.some((name) => path.endsWith(name))) write(`data/h200_sxm/${path}.parquet`, make())
  }
  write(
    'data/h200_sxm/gemm/vllm/1.0.0/reuse.yaml',
    'schema_version: 1\nreuse:\n- table: gemm_perf\n  from_version: 0.9.0\n  reason: same kernels\n',
  )
}
