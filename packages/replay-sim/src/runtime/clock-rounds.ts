const SCANS_PER_POOL = 4096

/**
 * Number that orders passes started at one timestamp: by iteration of the settling loop, then pool, then repeated scan of
 * that pool. Quiet passes always start in the first scan of the first iteration, which is `firstRound(pool)`.
 */
export function roundNumber(iteration: number, pool: number, scan: number): number {
  return (iteration * 2 + pool) * SCANS_PER_POOL + Math.min(scan, SCANS_PER_POOL - 1)
}
