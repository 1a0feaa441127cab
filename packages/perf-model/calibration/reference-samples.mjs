// Per-operator reference rows (operator-latency.json) as fit samples: the operators of each row meet the kernels of its plan.
import { findHardware, findModel } from '@spica/catalog'
import { planPass } from '../dist/operators/plan-pass.js'
import { attentionExtrasMs } from '../dist/roofline/attention-timer.js'
import { attentionVariant, expertVariants, latentVariant, sparseVariant } from '../dist/roofline/kernel-variants.js'

export const subjectOf = (row) => ({
  model: findModel(row.model),
  hardware: findHardware(row.sku),
  backend: row.backend,
  shape: { tp: row.tp, attentionDp: row.dp, moeTp: row.moe_tp, moeEp: row.moe_ep },
})

/** Family and variants of a leaf kernel, as the coefficient sets are keyed. */
export function keyOf(kernel) {
  switch (kernel.kind) {
    case 'gemm':
      return ['gemm', kernel.format]
    case 'attention':
      return [`${kernel.phase}-attention`, attentionVariant(kernel)]
    case 'mla':
      return [`mla-${kernel.phase}`, latentVariant(kernel)]
    case 'sparse-mla':
      return [`sparse-${kernel.phase}`, sparseVariant(kernel)]
    case 'experts':
      return ['experts', ...expertVariants(kernel)]
    default:
      return null
  }
}

/** Samples per `family|sku|backend|variant`, leaving out rows for which `skip(row)` holds. */
export function referenceSamples(rows, skip = () => false) {
  const sets = new Map()
  for (const row of rows) {
    if (skip(row)) continue
    const subject = subjectOf(row)
    const plan = planPass(subject, true)
    for (const phase of ['prefill', 'decode']) {
      const names = row[`${phase}_ops`] ?? []
      for (const { name, count, kernel } of plan[phase]) {
        const index = names.indexOf(name)
        const key = keyOf(kernel)
        if (index < 0 || key === null) continue
        const tokenFactor = kernel.kind === 'experts' ? kernel.tokenFactor : 1
        const stored = kernel.kind === 'experts' ? { ...kernel, tokenFactor: 1 } : kernel
        const extras =
          kernel.kind === 'attention' && phase === 'prefill' ? attentionExtrasMs(kernel, subject.hardware) : 0
        const points = (row[phase] ?? []).flatMap((point) => {
          if (point[point.length - 1] === null) return []
          const ms = point[point.length - 1][index] / count - extras
          if (!(ms > 1e-4)) return []
          const [batch, length, prefix] = phase === 'prefill' ? point : [point[0], point[1] + 1, point[1]]
          if (key[0] === 'gemm') return [[kernel.rows === 'sequences' ? batch : batch * (length - prefix), ms]]
          if (key[0] === 'experts') return [[batch * (length - prefix) * tokenFactor, ms]]
          return [[batch, length, prefix, ms]]
        })
        if (points.length === 0) continue
        for (const variant of key.slice(1)) {
          const id = [key[0], row.sku, row.backend, variant].join('|')
          if (!sets.has(id)) sets.set(id, new Map())
          const groups = sets.get(id)
          const at = JSON.stringify(stored)
          if (!groups.has(at)) groups.set(at, { kernel: stored, points: new Map() })
          for (const point of points) groups.get(at).points.set(point.slice(0, -1).join(), point)
        }
      }
    }
  }
  const result = new Map()
  for (const [id, groups] of sets) {
    result.set(
      id,
      [...groups.values()].map(({ kernel, points }) => ({ kernel, points: [...points.values()] })),
    )
  }
  return result
}
