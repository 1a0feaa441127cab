import type { ReplayFlags } from './replay-flags.js'

/**
 * Flags that change nothing beside the others, one warning each. Upstream's program takes them without a word, so scripts
 * that carry them still run.
 */
export function inertReplayFlags(flags: ReplayFlags, withTrace: boolean): readonly string[] {
  const warnings: string[] = []
  const warn = (given: unknown, inert: boolean, message: string) => {
    if (given !== undefined && inert) warnings.push(message)
  }
  const closed = flags.replayConcurrency !== undefined
  warn(flags.arrivalSeed, !withTrace && flags.requestRate === undefined, '--arrival-seed seeds only --request-rate')
  warn(flags.arrivalSpeedupRatio, closed, '--arrival-speedup-ratio has no effect with --replay-concurrency')
  warn(
    flags.interTurnDelayMs,
    (flags.turnsPerSession ?? 1) < 2,
    '--inter-turn-delay-ms needs --turns-per-session of 2 or more',
  )
  warn(
    flags.numPrefixGroups,
    (flags.sharedPrefixRatio ?? 0) === 0,
    '--num-prefix-groups has no effect without --shared-prefix-ratio',
  )
  warn(
    flags.sharedPrefixRatio,
    (flags.numPrefixGroups ?? 0) === 0,
    '--shared-prefix-ratio shares nothing without --num-prefix-groups',
  )
  warn(
    flags.routerConfig,
    flags.routerMode === 'round_robin',
    '--router-config has no effect without --router-mode kv_router',
  )
  warn(flags.seed, flags.routerMode === 'round_robin', '--seed decides only ties and draws of --router-mode kv_router')
  return warnings
}
