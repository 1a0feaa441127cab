// For each family: its samples in a database, and its time under given coefficients.

import { decodeAttentionTimer, prefillAttentionCore } from '../dist/roofline/attention-timer.js'
import { COEFFICIENT_NAMES } from '../dist/roofline/coefficient-sets.js'
import { COLLECTIVE_TRAFFIC, collectiveCurve } from '../dist/roofline/collective-timer.js'
import { expertsCurve } from '../dist/roofline/experts-timer.js'
import { gemmCurve } from '../dist/roofline/gemm-timer.js'
import { attentionVariant, expertVariants } from '../dist/roofline/kernel-variants.js'
import { latentDecodeTimer, latentPrefillTimer } from '../dist/roofline/latent-timer.js'
import { sparseLatentDecodeTimer, sparseLatentPrefillTimer } from '../dist/roofline/sparse-latent-timer.js'
import { latentSamples, sparseSamples } from './block-samples.mjs'
import { eachRow, Groups } from './samples.mjs'

const GEMM_FORMATS = ['bfloat16', 'fp8', 'fp8_block', 'nvfp4']
const EXPERT_FORMATS = ['bfloat16', 'fp8', 'fp8_block', 'nvfp4', 'w4a16_mxfp4', 'w4a8_mxfp4_mxfp8', 'int4_wo']

function gemmSamples(context) {
  const groups = new Groups()
  eachRow(context.database, context.hardware, context.backend, context.version, 'gemm_perf', (value, text) => {
    const format = text('gemm_dtype')
    const n = value('n')
    const k = value('k')
    if (!GEMM_FORMATS.includes(format) || n < 128 || k < 128 || n > 20000 * 8 || k > 30000) return
    groups.add(format, { kind: 'gemm', n, k, format, rows: 'tokens' }, [value('m')], value('latency'))
  })
  return groups.variants()
}

function attentionSamples(context, phase) {
  const groups = new Groups()
  const prefill = phase === 'prefill'
  const table = prefill ? 'context_attention_perf' : 'generation_attention_perf'
  eachRow(context.database, context.hardware, context.backend, context.version, table, (value, text) => {
    const heads = value('num_heads')
    const kv = value('num_key_value_heads')
    const headDim = value('head_dim')
    const window = value('window_size') || 0
    const kvFormat = text('kv_cache_dtype')
    const attentionFormat = prefill ? text('attn_dtype') : 'bfloat16'
    const length = prefill ? value('isl') : value('isl') + value('step')
    const batch = value('batch_size')
    if (heads > 96 || (prefill && (batch * length > 70000 || length < 16)) || (!prefill && batch > 1024)) return
    const kernel = {
      kind: 'attention',
      phase,
      heads,
      kvHeads: kv === 0 ? heads : kv,
      headDim,
      window,
      kvFormat,
      attentionFormat,
      qkNorm: false,
    }
    groups.add(
      attentionVariant(kernel),
      kernel,
      prefill ? [batch, length, 0] : [batch, length, length - 1],
      value('latency'),
    )
  })
  return groups.variants()
}

/** Two-matrix experts, whose work the tables do not tell apart by a column. */
const isNongated = (text, value) =>
  text('kernel_source').includes('nongated') ||
  (value('hidden_size') === 2688 && value('inter_size') === 1856) ||
  value('topk') === 22

/** Expert layouts of DeepSeek-like models, whose routers are trained to balance. */
const NEARLY_BALANCED = new Set(['256x7168x2048', '384x7168x2048', '256x6144x2048', '256x4096x2048', '384x7168x3072'])

function expertsSamples(context) {
  const groups = new Groups()
  eachRow(context.database, context.hardware, context.backend, context.version, 'moe_perf', (value, text) => {
    const format = text('moe_dtype')
    const skew = text('distribution')
    if (!EXPERT_FORMATS.includes(format) || skew === 'balanced' || !skew.startsWith('power_law_1.')) return
    if (text('kernel_source').includes('min_latency') || isNongated(text, value)) return
    const moeEp = value('moe_ep_size')
    const moeTp = value('moe_tp_size')
    if (moeEp > 32 || moeTp > 16) return
    const kernel = {
      kind: 'experts',
      format,
      skew,
      topk: value('topk'),
      experts: value('num_experts'),
      hiddenSize: value('hidden_size'),
      interSize: value('inter_size'),
      moeTp,
      moeEp,
      tokenFactor: 1,
      gated: true,
    }
    const [specific, general] = expertVariants(kernel)
    const natural = NEARLY_BALANCED.has(`${kernel.experts}x${kernel.hiddenSize}x${kernel.interSize}`)
      ? 'power_law_1.01'
      : 'power_law_1.2'
    for (const variant of skew === natural ? [specific, general] : [general])
      groups.add(variant, kernel, [value('num_tokens')], value('latency'))
  })
  return groups.variants()
}

function allReduceSamples(context) {
  const groups = new Groups()
  eachRow(
    context.database,
    context.hardware,
    context.backend,
    context.version,
    'custom_allreduce_perf',
    (value, text) => {
      if (text('kernel_source').endsWith('_eager')) return
      const size = value('message_size')
      if (size < 1024) return
      groups.add(
        'bfloat16',
        { kind: 'all-reduce', elementsPerToken: 1, gpus: value('num_gpus') },
        [size],
        value('latency'),
      )
    },
  )
  return groups.variants()
}

function ncclSamples(context) {
  const groups = new Groups()
  eachRow(context.database, context.hardware, context.backend, context.version, 'nccl_perf', (value, text) => {
    const collective = text('op_name')
    if (text('nccl_dtype') !== 'half' || (collective !== 'all_gather' && collective !== 'reduce_scatter')) return
    const size = value('message_size')
    if (size < 1024) return
    groups.add(
      collective,
      { kind: 'collective', collective, elementsPerToken: 1, gpus: value('num_gpus') },
      [size],
      value('latency'),
    )
  })
  return groups.variants()
}

const collectiveTime = (c, kernel, hardware) => {
  const traffic = COLLECTIVE_TRAFFIC[kernel.kind === 'all-reduce' ? 'all_reduce' : kernel.collective]
  return collectiveCurve({ ...c, largest: kernel.gpus }, traffic, kernel.gpus, hardware)
}

/** Tables, samples and time function of every family. `perSku` families are fitted once per SKU. */
export const FAMILIES = {
  gemm: { tables: ['gemm_perf'], samples: gemmSamples, time: gemmCurve, limit: 5000 },
  'prefill-attention': {
    tables: ['context_attention_perf'],
    samples: (context) => attentionSamples(context, 'prefill'),
    time: prefillAttentionCore,
    limit: 4000,
  },
  'decode-attention': {
    tables: ['generation_attention_perf'],
    samples: (context) => attentionSamples(context, 'decode'),
    time: decodeAttentionTimer,
    limit: 4000,
  },
  experts: { tables: ['moe_perf'], samples: expertsSamples, time: expertsCurve, limit: 5000 },
  'mla-prefill': {
    tables: ['mla_context_module_perf', 'context_mla_perf', 'gemm_perf', 'context_attention_perf'],
    samples: (context) => latentSamples(context, 'prefill'),
    time: latentPrefillTimer,
    limit: 2000,
  },
  'mla-decode': {
    tables: [
      'mla_generation_module_perf',
      'generation_mla_perf',
      'mla_bmm_perf',
      'gemm_perf',
      'generation_attention_perf',
    ],
    samples: (context) => latentSamples(context, 'decode'),
    time: latentDecodeTimer,
    limit: 2000,
  },
  'sparse-prefill': {
    tables: ['dsa_context_module_perf'],
    samples: (context) => sparseSamples(context, 'prefill'),
    time: sparseLatentPrefillTimer,
    limit: 4000,
  },
  'sparse-decode': {
    tables: ['dsa_generation_module_perf'],
    samples: (context) => sparseSamples(context, 'decode'),
    time: sparseLatentDecodeTimer,
    limit: 4000,
  },
  'all-reduce': { tables: ['custom_allreduce_perf'], samples: allReduceSamples, time: collectiveTime, limit: 1000 },
  nccl: { tables: ['nccl_perf'], samples: ncclSamples, time: collectiveTime, limit: 1000, perSku: true },
}

export { COEFFICIENT_NAMES }
