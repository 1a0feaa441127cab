import type { AllReduceKernel, CollectiveKernel } from '../operators/kernel.js'
import { wideningFactor } from '../roofline/gpu-figures.js'
import { buildCurve, type Curve, curveSource, evaluateCurve } from './curve.js'
import { numberColumn, textAt, textFilter } from './perf-rows.js'
import { contextRows, notMeasured, type TableContext, type TableTimer } from './table-timer.js'

export function bindCollective(context: TableContext, kernel: AllReduceKernel | CollectiveKernel): TableTimer {
  if (kernel.gpus <= 1) return { timer: () => 0, sourceAt: () => 'measured' }
  const { curve, measured } = kernel.kind === 'all-reduce' ? allReduce(context, kernel) : nccl(context, kernel)
  const factor = wideningFactor(context.hardware, kernel.gpus, measured)
  const perToken = kernel.elementsPerToken
  const light = (elements: number): number => elements
  return {
    timer: (batch, length, prefix) => factor * evaluateCurve(curve, batch * (length - prefix) * perToken, light, 1),
    sourceAt: (batch, length, prefix) =>
      factor === 1 ? curveSource(curve, batch * (length - prefix) * perToken) : 'extrapolated',
  }
}

interface MeasuredGroup {
  readonly curve: Curve
  /** Ranks of the measured group. */
  readonly measured: number
}

function allReduce(context: TableContext, kernel: AllReduceKernel): MeasuredGroup {
  const measured = Math.min(kernel.gpus, context.hardware.node.gpusPerNode)
  const points: [number, number][] = []
  for (const { rows } of contextRows(context, 'custom_allreduce_perf')) {
    const gpus = numberColumn(rows, 'num_gpus')
    const size = numberColumn(rows, 'message_size')
    const latency = numberColumn(rows, 'latency')
    for (let row = 0; row < rows.length; row++) {
      if (gpus[row] !== measured || textAt(rows, 'kernel_source', row).endsWith('_eager')) continue
      points.push([size[row]!, latency[row]!])
    }
  }
  if (points.length === 0) throw notMeasured(context, 'custom_allreduce_perf', { num_gpus: measured })
  return { curve: buildCurve(points, !context.exact), measured }
}

function nccl(context: TableContext, kernel: CollectiveKernel): MeasuredGroup {
  const groups = new Map<number, [number, number][]>()
  for (const { rows } of contextRows(context, 'nccl_perf')) {
    const matches = textFilter(rows, { op_name: kernel.collective, nccl_dtype: 'half' })
    const gpus = numberColumn(rows, 'num_gpus')
    const size = numberColumn(rows, 'message_size')
    const latency = numberColumn(rows, 'latency')
    for (let row = 0; row < rows.length; row++) {
      if (!matches(row)) continue
      let points = groups.get(gpus[row]!)
      if (points === undefined) {
        points = []
        groups.set(gpus[row]!, points)
      }
      points.push([size[row]!, latency[row]!])
    }
  }
  const measured = Math.min(kernel.gpus, Math.max(0, ...groups.keys()))
  const points = groups.get(measured)
  if (points === undefined) {
    throw notMeasured(context, 'nccl_perf', { op_name: kernel.collective, num_gpus: kernel.gpus })
  }
  return { curve: buildCurve(points, !context.exact), measured }
}
