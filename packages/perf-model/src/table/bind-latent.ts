import type { AttentionKernel, GemmKernel, MlaKernel } from '../operators/kernel.js'
import { bindAttention, freshShare, monotoneFresh } from './bind-attention.js'
import { type GemmSites, gemmTableCurve } from './bind-gemm.js'
import { buildCurve, evaluateCurve } from './curve.js'
import { DenseGrid } from './dense-grid.js'
import type { TableRows } from './perf-database.js'
import { numberColumn, textAt, textFilter } from './perf-rows.js'
import { RaggedGrid } from './ragged-grid.js'
import { latentBmmSpeedOfLight, latentDecodeSpeedOfLight, latentPrefillSpeedOfLight } from './speed-of-light.js'
import { contextRows, notMeasured, type TableContext, type TableTimer } from './table-timer.js'

/** Heads on one rank as the tables count them: of DeepSeek's 128 where the reference is wanted, else the model's own. */
function tableHeads(context: TableContext, kernel: MlaKernel): number {
  return context.exact ? Math.floor(128 / kernel.tp) : kernel.heads
}

/** The whole block where it was measured, else its parts one by one. */
export function bindLatent(context: TableContext, sites: () => GemmSites, kernel: MlaKernel): TableTimer {
  return bindModule(context, kernel) ?? bindParts(context, sites(), kernel)
}

function bindModule(context: TableContext, kernel: MlaKernel): TableTimer | null {
  const prefill = kernel.phase === 'prefill'
  const { hardware } = context
  const { attentionFormat, kvFormat, gemmFormat } = kernel
  const light = (heads: number, first: number, second: number): number =>
    prefill
      ? latentPrefillSpeedOfLight(hardware, attentionFormat, kvFormat, heads, second, first)
      : latentDecodeSpeedOfLight(hardware, kvFormat, gemmFormat, heads, first, second)
  const grid = new RaggedGrid(3, prefill ? 1 : -1, (at) => light(at[0]!, at[1]!, at[2]!))
  const table = prefill ? 'mla_context_module_perf' : 'mla_generation_module_perf'
  const wanted: Record<string, string> = { kv_cache_dtype: kvFormat, gemm_type: gemmFormat }
  if (prefill) wanted['mla_dtype'] = attentionFormat
  fillModule(grid, moduleRows(context, table), wanted, prefill)
  return grid.isEmpty ? null : gridTimer(context, grid, tableHeads(context, kernel), prefill, light)
}

/** The reference lets later sources overwrite earlier ones in module tables; by default a backend's own rows win. */
function moduleRows(context: TableContext, table: string): readonly TableRows[] {
  const rows = contextRows(context, table)
  return context.exact ? rows : [...rows].reverse()
}

/** Fills [heads][isl][batch] (prefill) or [heads][batch][length]; the last row at a place stays. */
function fillModule(
  grid: RaggedGrid,
  tables: readonly TableRows[],
  wanted: Readonly<Record<string, string>>,
  prefill: boolean,
): void {
  for (const { rows, source } of tables) {
    const matches = textFilter(rows, wanted)
    const column = (name: string): Float64Array => numberColumn(rows, name)
    const [heads, batch, isl, step, latency] = ['num_heads', 'batch_size', 'isl', 'step', 'latency'].map(column)
    for (let row = 0; row < rows.length; row++) {
      if (!matches(row)) continue
      if (source.kernels !== null && !source.kernels.includes(textAt(rows, 'kernel_source', row))) continue
      const path = prefill
        ? [heads![row]!, isl![row]!, batch![row]!]
        : [heads![row]!, batch![row]!, isl![row]! + step![row]!]
      grid.insert(path, latency![row]!, true)
    }
  }
}

function gridTimer(
  context: TableContext,
  grid: RaggedGrid,
  heads: number,
  prefill: boolean,
  light: (heads: number, first: number, second: number) => number,
): TableTimer {
  if (context.exact) {
    if (!prefill) {
      return {
        timer: (batch, length) => grid.evaluate(heads, batch, length),
        sourceAt: (batch, length) => grid.sourceAt(heads, batch, length),
      }
    }
    return {
      timer: (batch, length, prefix) => grid.evaluate(heads, length, batch) * freshShare(length, prefix),
      sourceAt: (batch, length) => grid.sourceAt(heads, length, batch),
    }
  }
  const dense = new DenseGrid(grid, [heads], prefill ? 0 : -1, (at) => light(heads, at[0]!, at[1]!))
  if (!prefill) {
    return {
      timer: (batch, length) => dense.evaluate(batch, length),
      sourceAt: (batch, length) => dense.sourceAt(batch, length),
    }
  }
  return {
    timer: (batch, length, prefix) => monotoneFresh(dense, batch, length, prefix),
    sourceAt: (batch, length) => dense.sourceAt(length, batch),
  }
}

function bindParts(context: TableContext, sites: GemmSites, kernel: MlaKernel): TableTimer {
  const prefill = kernel.phase === 'prefill'
  const { tp, hiddenSize, gemmFormat: format, qLoraRank, kvLoraRank, ropeHeadDim, nopeHeadDim, vHeadDim } = kernel
  const gemm = (n: number, k: number): GemmKernel => ({ kind: 'gemm', n, k, format, rows: 'tokens' })
  const total = kernel.totalHeads
  const outputInner = prefill ? (total * vHeadDim) / tp : context.exact ? hiddenSize / tp : (total * vHeadDim) / tp
  const kernels = [
    gemm(qLoraRank + kvLoraRank + ropeHeadDim, hiddenSize),
    gemm((total * (nopeHeadDim + ropeHeadDim)) / tp, qLoraRank),
    gemm(hiddenSize, outputInner),
  ]
  if (prefill) kernels.push(gemm((total * (nopeHeadDim + vHeadDim)) / tp, kvLoraRank))
  const curves = kernels.map((part) => gemmTableCurve(context, sites, part))
  const attention = bindLatentAttention(context, kernel)
  const bmm = prefill || context.backend === 'vllm' ? null : latentBmmTimer(context, kernel)
  return {
    timer: (batch, length, prefix) => {
      const tokens = batch * (length - prefix)
      let sum = attention.timer(batch, length, prefix)
      for (let index = 0; index < curves.length; index++) sum += curves[index]!.at(tokens)
      return bmm === null ? sum : sum + bmm(tokens)
    },
    sourceAt: (batch, length, prefix) => attention.sourceAt(batch, length, prefix),
  }
}

function bindLatentAttention(context: TableContext, kernel: MlaKernel): TableTimer {
  const heads = tableHeads(context, kernel)
  const prefill = kernel.phase === 'prefill'
  if (context.backend === 'vllm') {
    const plain: AttentionKernel = {
      kind: 'attention',
      phase: kernel.phase,
      heads,
      kvHeads: heads,
      headDim: 128,
      window: 0,
      kvFormat: kernel.kvFormat,
      attentionFormat: kernel.attentionFormat,
      qkNorm: false,
    }
    return bindAttention(context, plain)
  }
  const { hardware } = context
  const { attentionFormat, kvFormat } = kernel
  const light = (n: number, first: number, second: number): number =>
    prefill
      ? latentPrefillSpeedOfLight(hardware, attentionFormat, kvFormat, n, second, first)
      : latentDecodeSpeedOfLight(hardware, kvFormat, null, n, first, second)
  const grid = new RaggedGrid(3, prefill ? 1 : -1, (at) => light(at[0]!, at[1]!, at[2]!))
  const table = prefill ? 'context_mla_perf' : 'generation_mla_perf'
  const wanted: Record<string, string> = { kv_cache_dtype: kvFormat }
  if (prefill) wanted['mla_dtype'] = attentionFormat
  for (const { rows, source } of contextRows(context, table)) {
    const matches = textFilter(rows, wanted)
    const column = (name: string): Float64Array => numberColumn(rows, name)
    const [n, batch, isl, step, latency] = ['num_heads', 'batch_size', 'isl', 'step', 'latency'].map(column)
    for (let row = 0; row < rows.length; row++) {
      if (!matches(row)) continue
      if (source.kernels !== null && !source.kernels.includes(textAt(rows, 'kernel_source', row))) continue
      const path = prefill ? [n![row]!, isl![row]!, batch![row]!] : [n![row]!, batch![row]!, isl![row]! + step![row]!]
      grid.insert(path, latency![row]!, false)
    }
  }
  if (grid.isEmpty) throw notMeasured(context, table, { ...wanted, num_heads: heads })
  return gridTimer(context, grid, heads, prefill, light)
}

/** Both absorbed batched products of one decode step, as a function of tokens. */
function latentBmmTimer(context: TableContext, kernel: MlaKernel): (tokens: number) => number {
  const format = kernel.gemmFormat === 'bfloat16' ? 'bfloat16' : 'fp8'
  const heads = Math.max(1, Math.floor(kernel.totalHeads / kernel.tp))
  const light = (tokens: number): number => latentBmmSpeedOfLight(context.hardware, format, heads, tokens)
  const curves = ['mla_gen_pre', 'mla_gen_post'].map((operator) => {
    const points: [number, number][] = []
    for (const { rows, source } of contextRows(context, 'mla_bmm_perf')) {
      const matches = textFilter(rows, { bmm_dtype: format, op_name: operator })
      const [n, tokens, latency] = ['num_heads', 'num_tokens', 'latency'].map((name) => numberColumn(rows, name))
      for (let row = 0; row < rows.length; row++) {
        if (n![row] !== heads || !matches(row)) continue
        if (source.kernels !== null && !source.kernels.includes(textAt(rows, 'kernel_source', row))) continue
        points.push([tokens![row]!, latency![row]!])
      }
    }
    if (points.length === 0) {
      throw notMeasured(context, 'mla_bmm_perf', { bmm_dtype: format, op_name: operator, num_heads: heads })
    }
    return buildCurve(points, !context.exact)
  })
  return (tokens) => curves.reduce((sum, curve) => sum + evaluateCurve(curve, tokens, light, 1), 0)
}
