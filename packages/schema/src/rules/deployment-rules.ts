import { isPinnedPair, type PinnedShape } from '../config/parallel-pins.js'
import type { Draft, RuleReport } from './draft.js'

/** GPU band, pinned shapes and block sizes. */
export function deploymentRules(draft: Draft, report: RuleReport): void {
  gpuBand(draft, report)
  pinnedShapes(draft, report)
  blockSizes(draft, report)
  memoryFractions(draft, report)
}

function gpuBand(draft: Draft, report: RuleReport): void {
  const least = draft.read('search_space', 'min_gpu_budget')
  const most = draft.read('search_space', 'gpu_budget')
  if (typeof least !== 'number' || most === undefined || least <= most) return
  const path = ['search_space', 'min_gpu_budget']
  report.problem(path, 'gpu-band', `must be at most gpu_budget (${most}), not ${least}`)
}

function pinnedShapes(draft: Draft, report: RuleReport): void {
  const pins = draft.entries('parallel_configs')
  const modes = draft.read('search_space', 'deployment_mode')
  if (pins.length === 0 || modes === undefined) return
  if (modes.length !== 1) {
    report.problem(
      ['search_space', 'parallel_configs'],
      'pin-needs-one-mode',
      `needs exactly one deployment_mode, not ${modes.length}`,
      'write deployment_mode: [agg] or [disagg]',
    )
    return
  }
  for (const [index, pin] of pins) {
    const path = ['search_space', 'parallel_configs', index]
    const pair = isPinnedPair(pin)
    if (modes[0] === 'disagg' && !pair) {
      report.problem(path, 'pin-wrong-mode', 'needs prefill and decode, since deployment_mode is disagg')
    } else if (modes[0] === 'agg' && pair) {
      report.problem(path, 'pin-wrong-mode', 'must be one shape with tp, since deployment_mode is agg')
    } else if (pair) {
      pinnedSplit(pin.prefill, [...path, 'prefill'], report)
      pinnedSplit(pin.decode, [...path, 'decode'], report)
    } else {
      pinnedSplit(pin as PinnedShape, path, report)
    }
  }
}

/** Tells of splits that no model can have; whether a shape is legal for this model is decided by enumeration. */
function pinnedSplit(shape: PinnedShape, path: (string | number)[], report: RuleReport): void {
  const attention = shape.tp * (shape.attention_dp ?? 1)
  const experts = (shape.moe_tp ?? 1) * (shape.moe_ep ?? 1)
  if (experts > 1 && experts !== attention) {
    const equation = `tp·attention_dp = ${attention} but moe_tp·moe_ep = ${experts}`
    report.warning(path, 'pin-split', `is no legal shape: ${equation}`, 'both products are the GPUs of one worker')
  }
  if ((shape.pp ?? 1) !== 1) {
    report.warning([...path, 'pp'], 'pin-pipeline', `is no legal shape: pp must be 1, not ${shape.pp}`)
  }
}

function blockSizes(draft: Draft, report: RuleReport): void {
  if (draft.read('search_space', 'deployment_mode')?.includes('disagg') !== true) return
  const prefill = draft.read('search_space', 'prefill_block_size')
  const decode = draft.read('search_space', 'decode_block_size')
  if (prefill === undefined || decode === undefined || prefill === decode) return
  const message = `differs from prefill_block_size (${prefill}): KV blocks cannot be handed over`
  report.warning(['search_space', 'decode_block_size'], 'block-sizes-differ', message)
}

const HIGH_MEMORY_FRACTION = 0.95

function memoryFractions(draft: Draft, report: RuleReport): void {
  for (const role of ['prefill', 'decode', 'agg'] as const) {
    const field = `${role}_gpu_memory_utilization` as const
    const fraction = draft.read('search_space', field)
    if (fraction === undefined || fraction <= HIGH_MEMORY_FRACTION) continue
    const message = `${fraction} leaves little room for CUDA graphs and fragmentation; real engines may run out of memory`
    report.warning(['search_space', field], 'memory-utilization-high', message)
  }
}
