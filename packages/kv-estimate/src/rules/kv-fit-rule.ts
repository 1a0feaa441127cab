import type { EngineSettings, KvFormat, ShapeContext, ShapeRule, ShapeVerdict, WorkerShape } from '@spica/schema'
import { AIC_ENUMERATION_SETTINGS } from '../compat/aic-0-11.js'
import { estimateKv } from '../estimate-kv.js'
import type { KvCompat, KvEstimate } from '../kv-types.js'
import { divisibilityProblem } from './divisibility-rule.js'

export interface KvFitOptions {
  /** With `aic-0.11` the shape is judged at 8192 tokens / 256 sequences / 0.9, whatever the candidates have. */
  readonly compat?: KvCompat | undefined
  /** Default what the checkpoint says. */
  readonly kvCacheDtype?: KvFormat | undefined
  /** Draft tokens per step, as of `estimateKv`. Default 0. */
  readonly nextn?: number | undefined
}

/**
 * The cache of one rank must hold more than the longest sequence, with at least one of the settings a candidate can have; which of
 * them do is checked again per candidate. The numbers are those of the roomiest settings.
 */
export function createKvFitRule(options: KvFitOptions = {}): ShapeRule {
  return {
    name: 'kv-fit',
    check: (shape, context) => checkFit(shape, context, options),
  }
}

/** The rule with our defaults. */
export const kvFitRule: ShapeRule = createKvFitRule()

function checkFit(shape: WorkerShape, context: ShapeContext, options: KvFitOptions): ShapeVerdict {
  const uneven = divisibilityProblem(context.model, shape)
  if (uneven !== null) return { ok: false, ...uneven }
  const settings = options.compat === 'aic-0.11' ? [AIC_ENUMERATION_SETTINGS] : context.engineSettings
  let best: KvEstimate | undefined
  let bestSettings: EngineSettings | undefined
  for (const candidate of settings) {
    const estimate = estimateKv({
      model: context.model,
      hardware: context.hardware,
      backend: context.backend,
      shape,
      settings: candidate,
      maxSequenceTokens: context.maxSequenceTokens,
      ...definedOptions(options),
    })
    if (best === undefined || estimate.kvBudgetBytes > best.kvBudgetBytes) {
      best = estimate
      bestSettings = candidate
    }
  }
  if (best === undefined || bestSettings === undefined) {
    return { ok: false, code: 'no-engine-settings', message: 'no batching and memory settings are listed', numbers: {} }
  }
  const tokens = best.totalKvSizeTokens ?? 0
  const neededTokens = context.maxSequenceTokens + 1
  const shortfallBytes = Math.max(
    0,
    Math.ceil(neededTokens * best.kvSizePerTokenBytes + best.stateBytesPerSequence - best.kvBudgetBytes),
  )
  const numbers = {
    kvTokens: tokens,
    maxSequenceTokens: context.maxSequenceTokens,
    weightsBytes: best.weightsBytes,
    activationsBytes: best.activationsBytes,
    kvBudgetBytes: best.kvBudgetBytes,
    maxNumBatchedTokens: bestSettings.maxNumBatchedTokens,
    memoryFraction: bestSettings.memoryFraction,
  }
  if (best.feasible && tokens > context.maxSequenceTokens) return { ok: true, numbers }
  if (best.reason?.code === 'quantised-split') {
    return { ok: false, code: 'moe-fp8-block', message: best.reason.message, numbers }
  }
  const held = best.feasible ? `holds ${tokens} tokens` : `does not fit (${best.reason?.message ?? 'no room'})`
  return {
    ok: false,
    code: 'kv-does-not-fit',
    message: `the KV cache ${held}; a sequence of ${context.maxSequenceTokens} tokens lacks ${(shortfallBytes / 2 ** 30).toFixed(2)} GiB per GPU`,
    numbers: { ...numbers, shortfallBytes },
  }
}

function definedOptions(
  options: KvFitOptions,
): Pick<Parameters<typeof estimateKv>[0], 'compat' | 'kvCacheDtype' | 'nextn'> {
  return {
    ...(options.compat === undefined ? {} : { compat: options.compat }),
    ...(options.kvCacheDtype === undefined ? {} : { kvCacheDtype: options.kvCacheDtype }),
    ...(options.nextn === undefined ? {} : { nextn: options.nextn }),
  }
}
