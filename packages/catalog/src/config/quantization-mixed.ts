import type { KvFormat, QuantizationSpec, WeightFormat } from '@spica/schema'
import { isRecord } from './config-reader.js'
import { algorithmFormat } from './quantization-names.js'

type Source = Readonly<Record<string, unknown>>

/**
 * ModelOpt's MIXED_PRECISION: a format per layer name. Each part of the model takes the format most of its modules have; parts
 * that the map does not name stay as in `base`. Undefined when the source is not of this kind.
 */
export function mixedPrecision(
  source: Source,
  base: QuantizationSpec,
): (Omit<QuantizationSpec, 'kv' | 'kvDeclared'> & { defaultKv: KvFormat }) | undefined {
  if (source['quant_algo'] !== 'MIXED_PRECISION') return undefined
  const votes: Record<string, Map<WeightFormat, number>> = {}
  let weightBlock: readonly [number, number] | null = null
  const layers = isRecord(source['quantized_layers']) ? source['quantized_layers'] : {}
  for (const [name, layer] of Object.entries(layers)) {
    const algorithm = isRecord(layer) ? layer['quant_algo'] : undefined
    const format = typeof algorithm === 'string' ? algorithmFormat(algorithm, layer as Source) : undefined
    if (format === undefined) continue
    weightBlock ??= format.block
    const counts = (votes[partOf(name)] ??= new Map())
    counts.set(format.weights, (counts.get(format.weights) ?? 0) + 1)
  }
  const winner = (part: string): WeightFormat | undefined => {
    const counts = [...(votes[part] ?? [])].sort((a, b) => b[1] - a[1])
    return counts[0]?.[0]
  }
  const moe = winner('experts') ?? winner('ffn') ?? base.moe
  return {
    gemm: winner('ffn') ?? base.gemm,
    moe,
    attention: winner('attention') ?? base.attention,
    sharedExpert: winner('shared') ?? winner('ffn') ?? base.sharedExpert ?? base.gemm,
    lmHead: 'bfloat16',
    weightBlock: weightBlock ?? base.weightBlock,
    defaultKv: moe === 'bfloat16' ? base.kv : 'fp8',
  }
}

function partOf(name: string): string {
  if (/shared_expert/.test(name)) return 'shared'
  if (/experts?(\.|$)/.test(name)) return 'experts'
  if (/attn|attention|q_proj|k_proj|v_proj|o_proj/.test(name)) return 'attention'
  return 'ffn'
}
