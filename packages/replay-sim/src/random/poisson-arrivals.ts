import { naturalLog } from './natural-log.js'
import { StdRng } from './std-rng.js'

/**
 * Arrival times in ms of a Poisson process, the first at 0: gaps are −mean·ln(1 − u) with u from {@link StdRng}.
 *
 * @param count number of arrivals
 * @param ratePerSecond mean arrivals a second, > 0
 * @param seed default 42, the reference simulator's
 */
export function poissonArrivalsMs(count: number, ratePerSecond: number, seed: number = 42): Float64Array {
  const rng = new StdRng(seed)
  const meanGapMs = 1000 / ratePerSecond
  const arrivals = new Float64Array(count)
  let time = 0
  for (let index = 0; index < count; index++) {
    arrivals[index] = time
    time += -meanGapMs * naturalLog(1 - rng.float64())
  }
  return arrivals
}
