/** A deployment's configuration, told in sentences. */

const BACKENDS = { vllm: 'vLLM', sglang: 'SGLang', trtllm: 'TensorRT-LLM' }
const STRATEGIES = {
  tp: 'tensor parallel',
  tep: 'tensor-parallel attention, experts spread over the GPUs',
  dep: 'data-parallel attention, experts spread over the GPUs',
  dtp: 'data-parallel attention, tensor-parallel feed-forward layers',
}

/** Name of a backend as its makers spell it. */
export function backendName(backend) {
  return Object.hasOwn(BACKENDS, backend) ? BACKENDS[backend] : String(backend)
}

function count(amount, noun) {
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`
}

function grouped(value) {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',')
}

function workers(config, prefix, noun) {
  const gpus = Number(config[`${prefix}tp`]) * Number(config[`${prefix}attention_dp`])
  const strategy = config[`${prefix}strategy`]
  const how = Object.hasOwn(STRATEGIES, strategy) ? STRATEGIES[strategy] : String(strategy ?? 'unknown split')
  const replicas = Number(config[`${prefix}replicas`])
  const size = gpus === 1 ? 'one GPU' : `${gpus} GPUs`
  const split = gpus === 1 ? '' : ` (${String(strategy ?? '').toUpperCase()}${gpus}: ${how})`
  return `${count(replicas, `${noun} worker`)} of ${size}${replicas === 1 ? '' : ' each'}${split}`
}

function batching(config, role, who) {
  const limits = []
  if (config[`${role}_max_num_seqs`] !== undefined)
    limits.push(
      Number(config[`${role}_max_num_seqs`]) === 1
        ? 'runs one request at a time'
        : `runs up to ${grouped(config[`${role}_max_num_seqs`])} requests at once`,
    )
  if (config[`${role}_max_num_batched_tokens`] !== undefined)
    limits.push(`computes at most ${grouped(config[`${role}_max_num_batched_tokens`])} tokens a pass`)
  if (config[`${role}_gpu_memory_utilization`] !== undefined)
    limits.push(`may use ${Math.round(Number(config[`${role}_gpu_memory_utilization`]) * 100)} % of GPU memory`)
  if (limits.length === 0) return null
  const caching = config[`${role}_enable_prefix_caching`]
  const prefix = caching === undefined ? '' : caching ? '; prefix caching is on' : '; prefix caching is off'
  const last = limits.pop()
  return `${who} ${limits.length === 0 ? last : `${limits.join(', ')} and ${last}`}${prefix}.`
}

function routing(config) {
  if (config.router_mode === 'kv_router') {
    const credit = config.overlap_score_credit
    return `The router sends a request where most of its prefix is already cached, weighed against load${
      credit === undefined ? '' : ` (overlap credit ${credit}, prefill load scale ${config.prefill_load_scale ?? 1})`
    }.`
  }
  return 'Requests go to the workers in turn (round robin).'
}

function scaling(config) {
  const load = config.enable_load_scaling === true
  const throughput = config.enable_throughput_scaling === true
  if (!load && !throughput) return 'The number of workers is fixed; the autoscaler is off.'
  const parts = []
  if (load) parts.push(`to the load every ${config.load_adjustment_interval_seconds} s`)
  if (throughput) {
    const forecast = config.load_predictor === undefined ? '' : ` (${config.load_predictor} forecast)`
    parts.push(`to the expected traffic every ${config.throughput_adjustment_interval_seconds} s${forecast}`)
  }
  return `The autoscaler adapts the number of workers ${parts.join(' and ')}, within ${config.gpu_budget} GPUs.`
}

/** Sentences that say what is deployed; `config` is an unrolled sample. */
export function deploymentInWords(config) {
  const backend = backendName(config.backend)
  const version = config.backend_version === undefined ? '' : ` ${config.backend_version}`
  const where = config.hardware_sku === undefined ? '' : ` on ${config.hardware_sku}`
  const total = config.used_gpus === undefined ? '' : ` ${count(Number(config.used_gpus), 'GPU')} in all.`
  const disagg = config.deployment_mode === 'disagg'
  const first = disagg
    ? `${workers(config, 'prefill_', 'prefill')} for the prompts, ${workers(config, 'decode_', 'decode')} for the tokens that follow.`
    : `${workers(config, '', 'identical')}, for prompts and generation alike.`
  const offload =
    Number(config.num_g2_blocks) > 0 ? `${grouped(config.num_g2_blocks)} KV blocks spill to host memory.` : null
  const load =
    config.concurrency === undefined ? null : `Replayed with ${grouped(config.concurrency)} requests in flight.`
  return [
    `${backend}${version}${where}, ${disagg ? 'disaggregated' : 'aggregated'}: ${first}${total}`,
    ...(disagg
      ? [batching(config, 'prefill', 'A prefill engine'), batching(config, 'decode', 'A decode engine')]
      : [batching(config, 'agg', 'Each engine')]),
    offload,
    routing(config),
    scaling(config),
    load,
  ].filter((sentence) => sentence !== null)
}
