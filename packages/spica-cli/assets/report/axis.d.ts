export function linearTicks(min: number, max: number, count: number): number[]
export function logTicks(min: number, max: number, count: number): number[]
export function paddedRange(values: Iterable<number>, log: boolean): [number, number] | null
export function scaleOf(
  range: readonly [number, number],
  from: number,
  to: number,
  log: boolean,
): (value: number) => number
export function inverseOf(
  range: readonly [number, number],
  from: number,
  to: number,
  log: boolean,
): (pixel: number) => number
export function formatNumber(value: unknown): string
export function formatTick(value: number): string
export function frontSteps(
  points: readonly (readonly [number, number])[],
  maximizeX: boolean,
  maximizeY: boolean,
): (readonly [number, number])[]
