import type { Objective, Parameter } from '@spica/schema'

/** A black-box problem with a known answer. Deterministic; costs microseconds. */
export interface TestProblem {
  readonly name: string
  readonly parameters: readonly Parameter[]
  readonly objectives: readonly Objective[]
  /** One value per objective, or null where the point is infeasible. */
  evaluate(parameters: Readonly<Record<string, number | string>>): number[] | null
  /** Best value of a single objective. */
  readonly optimum?: number
  /** A point with the best value. */
  readonly optimumAt?: Readonly<Record<string, number | string>>
  /** Exact or best-known hypervolume of the front towards the objectives' reference points. */
  readonly hypervolume?: number
  /** `count` points of the front, evenly spread in its parameter. */
  front?(count: number): number[][]
  /** Where the formula and the known answer come from, and how sure the answer is. */
  readonly source: string
}

/** `count` float parameters x1 … xn on one range. */
export function floats(count: number, min: number, max: number): Parameter[] {
  return Array.from({ length: count }, (_, i) => ({ name: `x${i + 1}`, kind: 'float' as const, min, max }))
}

/** Values of x1 … xn. */
export function vector(parameters: Readonly<Record<string, number | string>>, count: number): number[] {
  return Array.from({ length: count }, (_, i) => parameters[`x${i + 1}`] as number)
}

export const MINIMIZE: readonly Objective[] = [{ name: 'f', direction: 'minimize' }]

/** Objectives f1 … fm to minimise towards a reference point. */
export function minimizeTowards(...reference: number[]): Objective[] {
  return reference.map((referencePoint, m) => ({ name: `f${m + 1}`, direction: 'minimize' as const, referencePoint }))
}
