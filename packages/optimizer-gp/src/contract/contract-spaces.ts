import type { Objective, OptimizerOptions, Outcome, Parameter, Suggestion } from '@spica/schema'

/** One parameter of each kind and scale. */
export const MIXED_SPACE: readonly Parameter[] = [
  { name: 'share', kind: 'float', min: -2, max: 3, default: 1.25 },
  { name: 'rate', kind: 'float', min: 1e-4, max: 10, scale: 'log', default: 0.01 },
  { name: 'count', kind: 'integer', min: -3, max: 12, default: 4 },
  { name: 'size', kind: 'discrete', values: [1, 2, 4, 8, 16], scale: 'log', default: 8 },
  { name: 'kind', kind: 'categorical', values: ['a', 'b', 'c|d'], default: 'b' },
  { name: 'fixed', kind: 'discrete', values: [7], default: 7 },
]

/** 12 points. */
export const FINITE_SPACE: readonly Parameter[] = [
  { name: 'n', kind: 'integer', min: 1, max: 3 },
  { name: 'kind', kind: 'categorical', values: ['x', 'y'] },
  { name: 'size', kind: 'discrete', values: [0, 5] },
]

export const ONE_OBJECTIVE: readonly Objective[] = [{ name: 'score', direction: 'maximize' }]

/** As many objectives as asked, of alternating direction, with a reference point on every second one. */
export function objectives(count: number): Objective[] {
  return Array.from({ length: count }, (_, m): Objective => {
    const direction = m % 2 === 0 ? 'minimize' : 'maximize'
    return m % 2 === 0 ? { name: `o${m}`, direction, referencePoint: 50 } : { name: `o${m}`, direction }
  })
}

/** A smooth deterministic answer to any suggestion; every fifth or so is infeasible. */
export function answer(options: OptimizerOptions, suggestion: Suggestion): Outcome {
  let sum = 0
  let position = 0
  for (const [name, value] of Object.entries(suggestion.parameters)) {
    const number = typeof value === 'number' ? value : value.charCodeAt(0) - 97
    sum += Math.sin(number + name.length) + 0.1 * number
    position += number
  }
  if (Math.abs(position * 7.31) % 5 < 1) return { id: suggestion.id, status: 'infeasible', reason: 'contract test' }
  const metrics = Object.fromEntries(
    options.objectives.map(({ name }, m) => [name, sum * (m + 1) + Math.cos(position + m)]),
  )
  return { id: suggestion.id, status: 'complete', metrics }
}

/** True when the parameters of a suggestion are exactly the declared ones with legal values. */
export function isLegal(
  declared: readonly Parameter[],
  parameters: Readonly<Record<string, number | string>>,
): boolean {
  if (Object.keys(parameters).length !== declared.length) return false
  return declared.every((p) => {
    const value = parameters[p.name]
    if (p.kind === 'categorical' || p.kind === 'discrete') return (p.values as readonly unknown[]).includes(value)
    if (typeof value !== 'number' || !(value >= p.min && value <= p.max)) return false
    return p.kind === 'float' || Number.isInteger(value)
  })
}
