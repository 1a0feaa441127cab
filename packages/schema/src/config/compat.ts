/** Named sets of upstream quirks that can be restored for comparison. */
export type Compat = 'dynamo-1.4' | 'aic-0.11'

export const COMPAT_NAMES: readonly Compat[] = ['dynamo-1.4', 'aic-0.11']
