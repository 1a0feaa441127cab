import { loadHardware, loadModel } from '@spica/catalog/node'
import { estimateKv } from '@spica/kv-estimate'
import { type Backend, type Compat, type EngineArgs, type PerfModel, SpicaError, type WorkerShape } from '@spica/schema'
import type { PerfInputs } from '../inputs/perf-inputs.js'
import { preloadTables } from '../inputs/perf-inputs.js'
import { perfModelMaker } from './perf-models.js'

/** Engine arguments ready for replay, with the model of their pass times; null = replay's built-in polynomial. */
export interface DirectEngine {
  readonly args: EngineArgs
  readonly perfModel: PerfModel | null
  /** Longest sequence of the model; null without one. */
  readonly contextLength: number | null
}

/**
 * Resolves engine arguments that name a model: KV blocks from memory where none are given, and pass times by the roofline
 * or the table. Without `aic_model_path` the polynomial times passes, unless another model is asked for, which then is an
 * error.
 */
export async function directEngine(
  args: EngineArgs,
  perf: PerfInputs,
  named: boolean,
  compat: readonly Compat[],
): Promise<DirectEngine> {
  const name = args.aic_model_path
  if (name === undefined || args.aic_system === undefined) {
    if (named && perf.model !== 'polynomial')
      throw new SpicaError(
        'input',
        'engine-names-no-model',
        `the ${perf.model} model needs aic_model_path and aic_system in the engine arguments`,
      )
    return { args, perfModel: null, contextLength: null }
  }
  const model = loadModel(name)
  const hardware = loadHardware(args.aic_system)
  const backend = (args.aic_backend ?? args.engine_type ?? 'vllm') as Backend
  const shape = shapeOfArgs(args)
  const quirks = compat.includes('aic-0.11') ? { compat: 'aic-0.11' as const } : {}
  let resolved = args
  if (args.num_gpu_blocks === undefined) {
    const estimate = estimateKv({
      model,
      hardware,
      backend,
      shape,
      settings: {
        maxNumBatchedTokens: args.max_num_batched_tokens ?? 8192,
        maxNumSeqs: args.max_num_seqs ?? 256,
        memoryFraction: args.gpu_memory_utilization ?? 0.9,
      },
      nextn: args.aic_nextn ?? 0,
      ...(args.max_model_len == null ? {} : { maxSequenceTokens: args.max_model_len }),
      ...quirks,
    })
    const blockSize =
      args.block_size ?? (backend === 'trtllm' ? 32 : backend === 'sglang' ? (args.sglang?.page_size ?? 1) : 64)
    const blocks = Math.floor((estimate.totalKvSizeTokens ?? 0) / blockSize)
    if (blocks < 1)
      throw new SpicaError(
        'empty',
        'kv-does-not-fit',
        `no KV cache fits: ${estimate.reason?.message ?? 'less than one block'}`,
      )
    resolved = { ...args, num_gpu_blocks: blocks }
  }
  if (perf.model === 'polynomial') return { args: resolved, perfModel: null, contextLength: model.contextLength }
  if (perf.database !== null) await preloadTables(perf.database, { model, hardware, compat }, [{ backend, shape }])
  const make = perfModelMaker({
    model,
    hardware,
    compat,
    perf: {
      model: perf.model,
      points: perf.points,
      database: perf.database?.toShared() ?? null,
      backendVersions:
        perf.database !== null && args.aic_backend_version != null ? { [backend]: args.aic_backend_version } : {},
    },
  })
  return { args: resolved, perfModel: make(backend, shape), contextLength: model.contextLength }
}

/** Shape of one worker; where only one expert number is given, the other follows from its GPUs. */
function shapeOfArgs(args: EngineArgs): WorkerShape {
  const tp = args.aic_tp_size ?? 1
  const attentionDp = Math.max(args.aic_attention_dp_size ?? 1, args.dp_size ?? 1)
  const gpus = tp * attentionDp
  const moeTp = args.aic_moe_tp_size ?? null
  const moeEp = args.aic_moe_ep_size ?? null
  if (moeTp !== null) return { tp, attentionDp, moeTp, moeEp: moeEp ?? Math.max(1, Math.floor(gpus / moeTp)) }
  if (moeEp !== null) return { tp, attentionDp, moeTp: Math.max(1, Math.floor(gpus / moeEp)), moeEp }
  return { tp, attentionDp, moeTp: 1, moeEp: 1 }
}
