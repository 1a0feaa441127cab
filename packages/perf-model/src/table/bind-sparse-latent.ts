import type { SparseMlaKernel } from '../operators/kernel.js'
import { DenseGrid } from './dense-grid.js'
import type { TableRows } from './perf-database.js'
import { numberColumn, textAt, textFilter } from './perf-rows.js'
import { RaggedGrid } from './ragged-grid.js'
import { sparseLatentSpeedOfLight } from './speed-of-light.js'
import { contextRows, notMeasured, type TableContext, type TableTimer } from './table-timer.js'

/** Operators that reuse another layer's indexer; they are not the block that is timed. */
const SKIPPED = 'skip_indexer'

export function bindSparseLatent(context: TableContext, kernel: SparseMlaKernel): TableTimer {
  const prefill = kernel.phase === 'prefill'
  const { hardware } = context
  const light = prefill
    ? (at: Float64Array): number => sparseLatentSpeedOfLight(kernel, hardware, at[0]!, at[3]!, at[2]!, at[1]!)
    : (at: Float64Array): number => sparseLatentSpeedOfLight(kernel, hardware, at[0]!, at[1]!, 1, at[2]! - 1)
  const grid = new RaggedGrid(prefill ? 4 : 3, -1, light)
  const table = prefill ? 'dsa_context_module_perf' : 'dsa_generation_module_perf'
  const wanted: Record<string, string> = {
    kv_cache_dtype: kernel.kvFormat,
    gemm_type: kernel.gemmFormat,
    architecture: kernel.architecture,
  }
  if (prefill) wanted['mla_dtype'] = kernel.attentionFormat
  fill(grid, contextRows(context, table), wanted, prefill)
  const { heads } = kernel
  if (grid.isEmpty) throw notMeasured(context, table, { ...wanted, num_heads: heads })
  if (context.exact) return exactTimer(grid, heads, prefill)
  const sol = prefill
    ? (at: Float64Array): number => sparseLatentSpeedOfLight(kernel, hardware, heads, at[2]!, at[1]!, at[0]!)
    : (at: Float64Array): number => sparseLatentSpeedOfLight(kernel, hardware, heads, at[0]!, 1, at[1]! - 1)
  const dense = new DenseGrid(grid, [heads], -1, sol)
  if (!prefill) {
    return {
      timer: (batch, length) => dense.evaluate(batch, length),
      sourceAt: (batch, length) => dense.sourceAt(batch, length),
    }
  }
  return {
    timer: (batch, length, prefix) => dense.evaluate(prefix, length - prefix, batch),
    sourceAt: (batch, length, prefix) => dense.sourceAt(prefix, length - prefix, batch),
  }
}

function exactTimer(grid: RaggedGrid, heads: number, prefill: boolean): TableTimer {
  if (!prefill) {
    return {
      timer: (batch, length) => grid.evaluate(heads, batch, length),
      sourceAt: (batch, length) => grid.sourceAt(heads, batch, length),
    }
  }
  return {
    timer: (batch, length, prefix) => grid.evaluate(heads, prefix, length - prefix, batch),
    sourceAt: (batch, length, prefix) => grid.sourceAt(heads, prefix, length - prefix, batch),
  }
}

/** Rows of the preferred kernel (one named after TensorRT-LLM where there is any); better sources win, then later rows. */
function fill(
  grid: RaggedGrid,
  tables: readonly TableRows[],
  wanted: Readonly<Record<string, string>>,
  prefill: boolean,
): void {
  const eligible = tables.map(({ rows, source }) => {
    const matches = textFilter(rows, wanted)
    return (row: number): boolean =>
      matches(row) &&
      !textAt(rows, 'op_name', row).includes(SKIPPED) &&
      (source.kernels === null || source.kernels.includes(textAt(rows, 'kernel_source', row)))
  })
  const preferred = (rows: TableRows['rows'], row: number): boolean =>
    textAt(rows, 'kernel_source', row).includes('trtllm')
  const anyPreferred = tables.some(({ rows }, index) => {
    for (let row = 0; row < rows.length; row++) if (eligible[index]!(row) && preferred(rows, row)) return true
    return false
  })
  for (let index = tables.length - 1; index >= 0; index--) {
    const { rows } = tables[index]!
    const column = (name: string): Float64Array => numberColumn(rows, name)
    const [heads, batch, isl, step, latency] = ['num_heads', 'batch_size', 'isl', 'step', 'latency'].map(column)
    for (let row = 0; row < rows.length; row++) {
      if (!eligible[index]!(row) || (anyPreferred && !preferred(rows, row))) continue
      const path = prefill
        ? [heads![row]!, step![row]!, isl![row]!, batch![row]!]
        : [heads![row]!, batch![row]!, isl![row]! + step![row]!]
      grid.insert(path, latency![row]!, true)
    }
  }
}
