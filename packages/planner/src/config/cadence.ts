import type { PlannerConfig } from './planner-config.js'

const MS_PER_SECOND = 1000
/** Slack of the due test, seconds: ticks are whole multiples of the base, times are doubles. */
const DUE_EPSILON_SECONDS = 1e-9

function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b)
}

/** Seconds between ticks: the load interval, or its gcd (to the millisecond) with the throughput interval when that loop runs. */
export function baseTickSeconds(config: PlannerConfig): number {
  const loadMs = Math.max(1, Math.round(config.load_adjustment_interval_seconds * MS_PER_SECOND))
  if (!config.enable_throughput_scaling) return loadMs / MS_PER_SECOND
  const throughputMs = Math.max(1, Math.round(config.throughput_adjustment_interval_seconds * MS_PER_SECOND))
  return gcd(loadMs, throughputMs) / MS_PER_SECOND
}

/** A loop with its own interval, anchored at 0 and re-anchored whenever it runs. */
export class DueClock {
  private anchorSeconds = 0

  constructor(private readonly intervalSeconds: number) {}

  /** True, and re-anchored, when the interval has passed since the last run. */
  take(nowSeconds: number): boolean {
    if (nowSeconds - this.anchorSeconds < this.intervalSeconds - DUE_EPSILON_SECONDS) return false
    this.anchorSeconds = nowSeconds
    return true
  }
}
