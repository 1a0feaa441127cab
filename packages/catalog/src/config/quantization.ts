import type { KvFormat, QuantizationSpec, WeightFormat } from '@spica/schema'
import type { ConfigReader } from './config-reader.js'
import { isRecord } from './config-reader.js'
import { excludedParts } from './quantization-exclusions.js'
import { mixedPrecision } from './quantization-mixed.js'
import { algorithmFormat, configGroupFormat, methodFormat, type QuantizedFormat } from './quantization-names.js'

const UNQUANTIZED: QuantizationSpec = {
  gemm: 'bfloat16',
  moe: 'bfloat16',
  attention: 'bfloat16',
  kv: 'bfloat16',
  lmHead: 'bfloat16',
  sharedExpert: 'bfloat16',
  kvDeclared: false,
  weightBlock: null,
}

/**
 * Number formats of a checkpoint, from `quantization_config` inside the config or from the side file, in any spelling. The
 * cache is FP8 where the checkpoint says so or where its weights are FP8 or NVFP4, else bfloat16.
 */
export function parseQuantization(reader: ConfigReader, hfQuantConfig: unknown, hasExperts: boolean): QuantizationSpec {
  const side = sideConfig(hfQuantConfig)
  const inline = firstRecord(reader.raw('quantization_config', 'compression_config', 'quantization'))
  const source = side ?? inline
  if (source === undefined) return withExpertDtype(UNQUANTIZED, reader, hasExperts)
  const merged = { ...inline, ...side }
  const mixed = mixedPrecision(merged, baseOf(inline, reader, hasExperts))
  const spec = mixed === undefined ? uniform(merged, reader, hasExperts) : finish(mixed, merged)
  return withExpertDtype(spec, reader, hasExperts)
}

/** What a mixed map leaves alone: the formats of the config's own quantisation, where that is one of another kind. */
function baseOf(
  inline: Readonly<Record<string, unknown>> | undefined,
  reader: ConfigReader,
  hasExperts: boolean,
): QuantizationSpec {
  const method = inline?.['quant_method']
  const isOther = typeof method === 'string' && !method.startsWith('modelopt') && inline?.['quant_algo'] === undefined
  return inline !== undefined && isOther ? uniform(inline, reader, hasExperts) : UNQUANTIZED
}

/** The side file nests its figures under `quantization`; a bare object is taken too. */
function sideConfig(config: unknown): Readonly<Record<string, unknown>> | undefined {
  if (!isRecord(config)) return undefined
  const inner = firstRecord(config['quantization']) ?? firstRecord(config['quantization_config'])
  const source = inner ?? config
  return source['quant_algo'] === null || Object.keys(source).length === 0 ? undefined : source
}

function firstRecord(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return isRecord(value) && Object.keys(value).length > 0 ? value : undefined
}

function uniform(
  source: Readonly<Record<string, unknown>>,
  reader: ConfigReader,
  hasExperts: boolean,
): QuantizationSpec {
  const format = formatOf(source, reader)
  const excluded = excludedParts(source)
  const keep = (isExcluded: boolean): WeightFormat => (isExcluded ? 'bfloat16' : format.weights)
  // MXFP4 checkpoints quantise nothing but the experts.
  const expertsOnly = format.expertsOnly && hasExperts
  return finish(
    {
      gemm: keep(excluded.denseFfn || (expertsOnly ?? false)),
      moe: keep(excluded.experts),
      attention: keep(excluded.attention || (expertsOnly ?? false)),
      sharedExpert: keep(excluded.sharedExperts || (expertsOnly ?? false)),
      lmHead: 'bfloat16',
      weightBlock: format.block,
      ...groupSizeOf(source),
      defaultKv: format.defaultKv,
    },
    source,
  )
}

/** `group_size` at the root or in the first config group; -1 (one scale per row) and absence mean the default. */
function groupSizeOf(source: Readonly<Record<string, unknown>>): { groupSize?: number } {
  const groups = firstRecord(source['config_groups'])
  const weights = Object.values(groups ?? {}).map((group) =>
    isRecord(group) ? firstRecord(group['weights']) : undefined,
  )
  for (const value of [source['group_size'], source['groupsize'], source['q_group_size'], weights[0]?.['group_size']]) {
    const size = Number(value)
    if (value !== undefined && value !== null && Number.isInteger(size) && size > 0) return { groupSize: size }
  }
  return {}
}

type Unfinished = Omit<QuantizationSpec, 'kv' | 'kvDeclared'> & { readonly defaultKv: KvFormat }

function finish({ defaultKv, ...spec }: Unfinished, source: Readonly<Record<string, unknown>>): QuantizationSpec {
  const declared = declaredKv(source)
  return { ...spec, kv: declared ?? defaultKv, kvDeclared: declared !== undefined }
}

/** `kv_cache_scheme` (object or string) or `kv_cache_quant_algo`. NVFP4 caches are counted as FP8, which engines fall back to. */
function declaredKv(source: Readonly<Record<string, unknown>>): KvFormat | undefined {
  const value = source['kv_cache_quant_algo'] ?? source['kv_cache_scheme'] ?? source['kv_cache_dtype']
  if (typeof value === 'string') {
    if (/int8/i.test(value)) return 'int8'
    if (/fp8|float8|nvfp4/i.test(value)) return 'fp8'
    return undefined
  }
  if (isRecord(value) && value['num_bits'] === 8) return value['type'] === 'int' ? 'int8' : 'fp8'
  return undefined
}

function formatOf(source: Readonly<Record<string, unknown>>, reader: ConfigReader): QuantizedFormat {
  const method = typeof source['quant_method'] === 'string' ? source['quant_method'].toLowerCase() : undefined
  const algorithm = typeof source['quant_algo'] === 'string' ? source['quant_algo'] : undefined
  const format =
    (algorithm === undefined ? undefined : algorithmFormat(algorithm, source)) ??
    configGroupFormat(source) ??
    (method === undefined ? undefined : methodFormat(method, source))
  if (format === undefined) {
    const name = algorithm ?? method ?? 'a quantization_config without quant_method or quant_algo'
    throw reader.fault('unsupported-quantization', 'quantization_config', `is of an unknown kind: ${name}`)
  }
  return format
}

/** DeepSeek-V4 names the experts' format beside the quantisation config. */
function withExpertDtype(spec: QuantizationSpec, reader: ConfigReader, hasExperts: boolean): QuantizationSpec {
  const dtype = reader.optionalString('expert_dtype')
  const isFourBit = spec.moe === 'nvfp4' || spec.moe === 'mxfp4'
  if (!hasExperts || isFourBit || dtype === undefined || !/fp4/i.test(dtype)) return spec
  return { ...spec, moe: 'mxfp4' }
}
