import type { ExpertsKernel } from '../operators/kernel.js'
import { buildCurve, curveSource, evaluateCurve } from './curve.js'
import { numberColumn, textAt, textFilter } from './perf-rows.js'
import { expertsSpeedOfLight } from './speed-of-light.js'
import { contextRows, notMeasured, type TableContext, type TableTimer } from './table-timer.js'

/** A kernel for very small batches that databases list beside the one in use. */
const LOW_LATENCY_KERNEL = 'moe_torch_flow_min_latency'

export function bindExperts(context: TableContext, kernel: ExpertsKernel): TableTimer {
  const { hardware } = context
  const wanted = {
    topk: kernel.topk,
    num_experts: kernel.experts,
    hidden_size: kernel.hiddenSize,
    inter_size: kernel.interSize,
    moe_tp_size: kernel.moeTp,
    moe_ep_size: kernel.moeEp,
  }
  for (const distribution of [kernel.skew, 'uniform', 'balanced']) {
    const points = measuredPoints(context, kernel, distribution, wanted)
    if (points.length === 0) continue
    const curve = buildCurve(points, !context.exact)
    const light = (tokens: number): number => expertsSpeedOfLight(kernel, hardware, tokens)
    const factor = kernel.tokenFactor
    return {
      timer: (batch, length, prefix) => evaluateCurve(curve, batch * (length - prefix) * factor, light, 1),
      sourceAt: (batch, length, prefix) => curveSource(curve, batch * (length - prefix) * factor),
    }
  }
  throw notMeasured(context, 'moe_perf', { moe_dtype: kernel.format, distribution: kernel.skew, ...wanted })
}

function measuredPoints(
  context: TableContext,
  kernel: ExpertsKernel,
  distribution: string,
  wanted: Readonly<Record<string, number>>,
): [number, number][] {
  const points: [number, number][] = []
  for (const { rows } of contextRows(context, 'moe_perf')) {
    const matches = textFilter(rows, { moe_dtype: kernel.format, distribution })
    const tests = Object.entries(wanted).map(([name, value]) => ({ column: numberColumn(rows, name), value }))
    const tokens = numberColumn(rows, 'num_tokens')
    const latency = numberColumn(rows, 'latency')
    for (let row = 0; row < rows.length; row++) {
      if (!tests.every((test) => test.column[row] === test.value) || !matches(row)) continue
      if (textAt(rows, 'kernel_source', row) === LOW_LATENCY_KERNEL) continue
      points.push([tokens[row]!, latency[row]!])
    }
  }
  return points
}
