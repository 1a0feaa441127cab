import type { KvFormat, LayerGroup, ModelSpec } from '@spica/schema'
import type { WindowPages } from '../kv-types.js'
import { kvElementBytes } from '../weights/format-bytes.js'
import { mtpLayerGroups } from '../weights/mtp-layer.js'

/** How the cache of one sequence grows on one rank, in bytes. */
export interface KvCurve {
  /** Per token, without bound. */
  readonly growingBytesPerToken: number
  /** Per token up to a window: one entry per window length. */
  readonly windows: readonly { readonly tokens: number; readonly bytesPerToken: number }[]
  /** Once per sequence: convolution and recurrent state. */
  readonly stateBytes: number
}

export interface KvCurveOptions {
  /** Default what the checkpoint says. */
  readonly kvCacheDtype?: KvFormat | undefined
  /** Default `capped`. */
  readonly windowPages?: WindowPages | undefined
  /** Default 0. */
  readonly nextn?: number | undefined
}

/** Index key of sparse attention: FP8 with one float32 scale. */
const INDEX_SCALE_BYTES = 4

/**
 * Cache of one sequence on a rank with tensor parallelism `tp`: GQA (head + value size) · ceil(kvHeads / tp) per layer, latent
 * attention its rank plus the rotary part on every rank, sliding layers up to their window, recurrent layers a fixed state
 * split over `tp`.
 */
export function kvCurve(model: ModelSpec, tp: number, options: KvCurveOptions = {}): KvCurve {
  const element = kvElementBytes(options.kvCacheDtype ?? model.quantization.kv)
  const groups = (options.nextn ?? 0) > 0 ? [...model.layerGroups, ...mtpGroups(model)] : model.layerGroups
  const windows = new Map<number, number>()
  let growing = 0
  let state = 0
  for (const group of groups) {
    if (group.sharesKv === true) continue
    if (group.mixer === 'recurrent') state += group.count * stateBytesPerLayer(group, tp)
    else if (group.mixer === 'mla') growing += group.count * latentBytes(model, element)
    else if (group.mixer === 'compressed') {
      const entry = compressedEntryBytes(group, model, element)
      growing += group.count * compressedGrowth(group, model, entry)
      const window = group.window ?? 0
      windows.set(window, (windows.get(window) ?? 0) + group.count * entry)
    } else if (group.mixer !== 'none') {
      const bytes = group.count * headBytes(model, group, tp) * element
      const window = group.mixer === 'sliding' && options.windowPages !== 'unified' ? group.window : undefined
      if (window === undefined) growing += bytes
      else windows.set(window, (windows.get(window) ?? 0) + bytes)
    }
  }
  return {
    growingBytesPerToken: growing + indexKeyBytes(model),
    windows: [...windows].map(([tokens, bytesPerToken]) => ({ tokens, bytesPerToken })),
    stateBytes: state,
  }
}

/**
 * Cache bytes of one sequence of `tokens` tokens. `admittedTokens` are further tokens that a window must hold while a chunk of
 * the prompt is computed (the engine's batch budget); default 0, the resident size after prefill.
 */
export function kvBytesOfSequence(curve: KvCurve, tokens: number, admittedTokens: number = 0): number {
  const windowed = curve.windows.reduce(
    (sum, window) => sum + window.bytesPerToken * Math.min(tokens, window.tokens + admittedTokens),
    0,
  )
  return tokens * curve.growingBytesPerToken + windowed + curve.stateBytes
}

/** Longest single sequence whose cache is within `budgetBytes`; 0 when not even the state fits. The inverse of `kvBytesOfSequence`. */
export function longestSequence(curve: KvCurve, budgetBytes: number, admittedTokens: number = 0): number {
  if (kvBytesOfSequence(curve, 0, admittedTokens) > budgetBytes) return 0
  let low = 0
  let high = 1
  while (high < 2 ** 50 && kvBytesOfSequence(curve, high, admittedTokens) <= budgetBytes) high *= 2
  while (low < high - 1) {
    const middle = Math.floor((low + high) / 2)
    if (kvBytesOfSequence(curve, middle, admittedTokens) <= budgetBytes) low = middle
    else high = middle
  }
  return low
}

function headBytes(model: ModelSpec, group: LayerGroup, tp: number): number {
  const headDim = group.headDim ?? model.headDim
  return Math.ceil((group.kvHeads ?? model.kvHeads) / tp) * (headDim + (group.vHeadDim ?? headDim))
}

/** Latent rank and rotary part; sparse attention keeps the rotary part in bfloat16. */
function latentBytes(model: ModelSpec, element: number): number {
  if (model.mla === null) return 0
  const rope = model.indexer === null ? element : 2
  return model.mla.kvLoraRank * element + model.mla.qkRopeHeadDim * rope
}

function indexKeyBytes(model: ModelSpec): number {
  if (model.indexer === null || model.family === 'deepseek-v4') return 0
  return (model.indexer.layers ?? model.layers) * (model.indexer.headDim + INDEX_SCALE_BYTES)
}

/** One latent of DeepSeek-V4: in FP8 the last 64 elements stay bfloat16, with 8 bytes of scales. */
function compressedEntryBytes(group: LayerGroup, model: ModelSpec, element: number): number {
  const size = group.headDim ?? model.headDim
  return element === 2 ? 2 * size : size + 64 + 8
}

function compressedGrowth(group: LayerGroup, model: ModelSpec, entry: number): number {
  const ratio = group.compressRatio ?? 0
  if (ratio === 0) return 0
  const index = ratio <= 4 && model.indexer !== null ? model.indexer.headDim + INDEX_SCALE_BYTES : 0
  return (entry + index) / ratio
}

function stateBytesPerLayer(group: LayerGroup, tp: number): number {
  const spec = group.recurrent
  if (spec === undefined) return 0
  const conv = spec.convStateElements * (spec.convStateBytes ?? 2)
  return (conv + spec.ssmStateElements * (spec.ssmStateBytes ?? 4)) / tp
}

function mtpGroups(model: ModelSpec): readonly LayerGroup[] {
  return mtpLayerGroups(model).map((group) => ({ ...group, count: model.mtpLayers }))
}
