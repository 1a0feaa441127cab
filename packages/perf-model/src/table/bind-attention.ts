import type { AttentionKernel } from '../operators/kernel.js'
import { attentionExtrasMs } from '../roofline/attention-timer.js'
import { DenseGrid } from './dense-grid.js'
import { numberColumn, textFilter } from './perf-rows.js'
import { type GridSpeedOfLight, RaggedGrid } from './ragged-grid.js'
import { decodeAttentionSpeedOfLight, prefillAttentionSpeedOfLight } from './speed-of-light.js'
import { contextRows, derivedKey, notMeasured, type TableContext, type TableTimer } from './table-timer.js'

/** Share of a prompt's causal triangle that its fresh tokens add. */
export function freshShare(length: number, prefix: number): number {
  return (length * length - prefix * prefix) / (length * length)
}

export function bindAttention(context: TableContext, kernel: AttentionKernel): TableTimer {
  return kernel.phase === 'prefill' ? bindPrefill(context, kernel) : bindDecode(context, kernel)
}

/** All heads of one slice of an attention table share a grid. */
function gridKey(context: TableContext, kernel: AttentionKernel): string {
  const { phase, kvHeads, heads, headDim, window, kvFormat, attentionFormat } = kernel
  const slice = kvHeads === heads ? 0 : kvHeads
  return derivedKey(context, 'attention', phase, slice, headDim, window, kvFormat, attentionFormat)
}

/** Fills the grid; `floor` is the least believable time at a place. */
function fillGrid(
  context: TableContext,
  kernel: AttentionKernel,
  grid: RaggedGrid,
  floor: (path: readonly number[]) => number,
): void {
  const prefill = kernel.phase === 'prefill'
  const table = prefill ? 'context_attention_perf' : 'generation_attention_perf'
  const wanted: Record<string, string> = prefill
    ? { attn_dtype: kernel.attentionFormat, kv_cache_dtype: kernel.kvFormat }
    : { kv_cache_dtype: kernel.kvFormat }
  const kvHeads = kernel.kvHeads === kernel.heads ? 0 : kernel.kvHeads
  for (const { rows } of contextRows(context, table)) {
    const matches = textFilter(rows, wanted)
    const column = (name: string): Float64Array => numberColumn(rows, name)
    const [heads, kv, dim, window] = ['num_heads', 'num_key_value_heads', 'head_dim', 'window_size'].map(column)
    const [batch, isl, step, latency] = ['batch_size', 'isl', 'step', 'latency'].map(column)
    for (let row = 0; row < rows.length; row++) {
      if (dim![row] !== kernel.headDim || (window![row] ?? 0) !== kernel.window || !matches(row)) continue
      if ((kv![row] === heads![row] ? 0 : kv![row]) !== kvHeads) continue
      const path = prefill
        ? [heads![row]!, isl![row]!, batch![row]!]
        : [heads![row]!, batch![row]!, isl![row]! + step![row]!]
      grid.insert(path, Math.max(latency![row]!, floor(path)), false)
    }
  }
  if (grid.isEmpty) {
    throw notMeasured(context, table, {
      ...wanted,
      num_heads: kernel.heads,
      num_key_value_heads: kernel.kvHeads,
      head_dim: kernel.headDim,
      window_size: kernel.window,
    })
  }
}

function bindPrefill(context: TableContext, kernel: AttentionKernel): TableTimer {
  const { hardware } = context
  const isMha = kernel.kvHeads === kernel.heads
  const light = (heads: number, length: number, batch: number): number =>
    prefillAttentionSpeedOfLight(kernel, hardware, heads, isMha ? heads : kernel.kvHeads, batch, length)
  const ragged = context.database.derived(gridKey(context, kernel), () => {
    const grid = new RaggedGrid(3, 1, (at) => light(at[0]!, at[1]!, at[2]!))
    fillGrid(context, kernel, grid, () => 0)
    return grid
  })
  const extras = attentionExtrasMs(kernel, hardware)
  const { heads } = kernel
  if (context.exact) {
    return {
      timer: (batch, length, prefix) => ragged.evaluate(heads, length, batch) * freshShare(length, prefix) + extras,
      sourceAt: (batch, length) => ragged.sourceAt(heads, length, batch),
    }
  }
  const dense = new DenseGrid(ragged, [heads], 0, (at) => light(heads, at[0]!, at[1]!))
  return {
    timer: (batch, length, prefix) => monotoneFresh(dense, batch, length, prefix) + extras,
    sourceAt: (batch, length) => dense.sourceAt(length, batch),
  }
}

/**
 * Time of the fresh tokens behind a prefix. It is taken at the measured lengths between the fresh tokens alone and the whole
 * sequence, never below that of a shorter prefix, and blended linearly, so that it never falls as the prefix grows.
 */
export function monotoneFresh(grid: DenseGrid, batch: number, length: number, prefix: number): number {
  if (prefix === 0) return grid.evaluate(length, batch)
  const fresh = length - prefix
  let at = fresh
  let ms = grid.evaluate(fresh, batch)
  for (const key of grid.firstAxis) {
    if (key <= fresh) continue
    const next = Math.max(ms, grid.evaluate(key, batch) * freshShare(key, key - fresh))
    if (key >= length) return ms + ((next - ms) * (length - at)) / (key - at)
    at = key
    ms = next
  }
  return Math.max(ms, grid.evaluate(length, batch) * freshShare(length, prefix))
}

function bindDecode(context: TableContext, kernel: AttentionKernel): TableTimer {
  const { hardware } = context
  const isMha = kernel.kvHeads === kernel.heads
  const light = (heads: number, batch: number, length: number): number =>
    decodeAttentionSpeedOfLight(kernel, hardware, heads, isMha ? heads : kernel.kvHeads, batch, length)
  const ragged = context.database.derived(gridKey(context, kernel), () => {
    const grid = new RaggedGrid(3, -1, (at) => light(at[0]!, at[1]!, at[2]!))
    fillGrid(context, kernel, grid, ([n, batch, length]) => light(n!, batch!, length!))
    return grid
  })
  const { heads } = kernel
  if (context.exact) {
    return {
      timer: (batch, length) => smoothed(length, (at) => ragged.evaluate(heads, batch, at)),
      sourceAt: (batch, length) => ragged.sourceAt(heads, batch, length),
    }
  }
  const sol: GridSpeedOfLight = (at) => light(heads, at[0]!, at[1]!)
  const dense = new DenseGrid(ragged, [heads], -1, sol)
  return {
    timer: (batch, length) => dense.evaluate(batch, length),
    sourceAt: (batch, length) => dense.sourceAt(batch, length),
  }
}

/** Mean over five lengths within ±10 %, as sequences of a batch spread around their mean. */
function smoothed(length: number, at: (length: number) => number): number {
  const low = Math.max(1, Math.floor(length * 0.9))
  const high = Math.max(low, Math.floor(length * 1.1))
  const spread = high - low
  let sum = 0
  for (let sample = 0; sample < 5; sample++) sum += at(low + Math.floor((spread * sample) / 4))
  return sum / 5
}
