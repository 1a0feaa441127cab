// Samples of whole attention blocks: latent ones, and latent ones with an indexer.
import { latentVariant, sparseVariant } from '../dist/roofline/kernel-variants.js'
import { GemmSites } from '../dist/table/bind-gemm.js'
import { bindLatent } from '../dist/table/bind-latent.js'
import { eachRow, Groups } from './samples.mjs'

const DEEPSEEK = {
  hiddenSize: 7168,
  totalHeads: 128,
  qLoraRank: 1536,
  kvLoraRank: 512,
  nopeHeadDim: 128,
  ropeHeadDim: 64,
  vHeadDim: 128,
}

export function latentSamples(context, phase) {
  const result = new Map()
  const prefill = phase === 'prefill'
  const sites = new Map()
  const sitesOf = (format) => {
    if (!sites.has(format)) sites.set(format, new GemmSites(context, format))
    return sites.get(format)
  }
  for (const gemmFormat of ['bfloat16', 'fp8_block', 'nvfp4']) {
    for (const kvFormat of ['bfloat16', 'fp8']) {
      for (const attentionFormat of kvFormat === 'fp8' ? ['fp8', 'bfloat16'] : ['bfloat16']) {
        const groups = []
        let variant = ''
        for (const tp of [1, 2, 4, 8, 16]) {
          const kernel = { kind: 'mla', phase, heads: 128 / tp, tp, ...DEEPSEEK, gemmFormat, kvFormat, attentionFormat }
          variant = latentVariant(kernel)
          if (result.has(variant)) break
          let bound
          try {
            bound = bindLatent(context, () => sitesOf(gemmFormat), kernel)
          } catch {
            continue
          }
          const points = []
          for (const batch of prefill ? [1, 2, 4, 8, 16] : [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]) {
            for (const length of prefill
              ? [128, 256, 512, 1024, 2048, 4096, 8192, 16384]
              : [129, 257, 1025, 4097, 16385, 32769, 65537]) {
              if (prefill ? batch * length > 66000 : batch * length > 2 ** 22 * 4) continue
              const at = prefill ? [batch, length, 0] : [batch, length, length - 1]
              points.push([...at, bound.timer(...at)])
            }
          }
          groups.push({ kernel, points })
        }
        if (groups.length > 0) result.set(variant, groups)
      }
    }
  }
  return result
}

const SPARSE = {
  GlmMoeDsaForCausalLM: {
    hiddenSize: 6144,
    totalHeads: 64,
    qLoraRank: 2048,
    kvLoraRank: 512,
    nopeHeadDim: 192,
    ropeHeadDim: 64,
    vHeadDim: 256,
    indexHeads: 32,
    indexHeadDim: 128,
    topk: 2048,
  },
  DeepseekV32ForCausalLM: { ...DEEPSEEK, indexHeads: 64, indexHeadDim: 128, topk: 2048 },
}

export function sparseSamples(context, phase) {
  const groups = new Groups()
  const prefill = phase === 'prefill'
  const table = prefill ? 'dsa_context_module_perf' : 'dsa_generation_module_perf'
  const rows = context.database.rows(context.hardware, context.backend, context.version, table)
  const preferred = new Set()
  eachRow(context.database, context.hardware, context.backend, context.version, table, (_value, text) => {
    if (text('kernel_source').includes('trtllm'))
      preferred.add(text('kv_cache_dtype') + text('gemm_type') + text('architecture'))
  })
  if (rows.length === 0) return new Map()
  eachRow(context.database, context.hardware, context.backend, context.version, table, (value, text) => {
    const architecture = text('architecture')
    const dimensions = SPARSE[architecture]
    if (!dimensions || text('op_name').includes('skip_indexer')) return
    if (prefill && text('mla_dtype') !== 'bfloat16') return
    const slice = text('kv_cache_dtype') + text('gemm_type') + architecture
    if (preferred.has(slice) && !text('kernel_source').includes('trtllm')) return
    const heads = value('num_heads')
    const batch = value('batch_size')
    const kernel = {
      kind: 'sparse-mla',
      phase,
      heads,
      tp: dimensions.totalHeads / heads,
      ...dimensions,
      architecture,
      gemmFormat: text('gemm_type'),
      kvFormat: text('kv_cache_dtype'),
      attentionFormat: 'bfloat16',
    }
    if (heads < 4) return
    const variant = sparseVariant(kernel)
    if (prefill) {
      const fresh = value('isl')
      const prefix = value('step')
      if (batch * fresh > 70000 || batch * fresh < 32 || prefix > 40000) return
      groups.add(variant, kernel, [batch, fresh + prefix, prefix], value('latency'))
    } else {
      const length = value('isl') + value('step')
      if (length < 32) return
      groups.add(variant, kernel, [batch, length, length - 1], value('latency'))
    }
  })
  return groups.variants()
}
