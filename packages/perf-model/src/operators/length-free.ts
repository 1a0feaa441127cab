import type { Kernel, LeafKernel } from './kernel.js'

const LENGTH_FREE: ReadonlySet<LeafKernel['kind']> = new Set([
  'gemm',
  'elementwise',
  'experts',
  'all-reduce',
  'collective',
  'recurrent',
])

/** True when a decode pass of this kernel takes the same time whatever the sequences hold: it depends on their number alone. */
export function isLengthFree(kernel: Kernel): boolean {
  if (kernel.kind === 'sequence') return kernel.parts.every(isLengthFree)
  if (kernel.kind === 'overlap') return [...kernel.first, ...kernel.second].every(isLengthFree)
  return LENGTH_FREE.has(kernel.kind)
}
