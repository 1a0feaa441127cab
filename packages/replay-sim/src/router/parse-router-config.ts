import { type ConfigIssue, SpicaConfigError } from '@spica/schema'
import { checkObject, type FieldRule, oneOf } from '../field-rules.js'
import { defaultRouterConfig, type RouterConfig } from './router-config.js'

const weight: FieldRule = { kind: 'number', min: 0, nullable: true }
const flag: FieldRule = { kind: 'boolean' }

const rules: Readonly<Record<string, FieldRule>> = {
  overlap_score_credit: weight,
  overlap_score_credit_decay: weight,
  prefill_load_scale: weight,
  decode_active_request_weight: weight,
  host_cache_hit_weight: { kind: 'number', min: 0, max: 1 },
  disk_cache_hit_weight: { kind: 'number', min: 0, max: 1 },
  router_temperature: weight,
  router_queue_threshold: weight,
  router_queue_policy: oneOf(['fcfs', 'lcfs', 'wspt']),
  use_kv_events: flag,
  router_track_active_blocks: flag,
  router_track_prefill_tokens: flag,
  router_assume_kv_reuse: flag,
}

/** Checks router settings given as parsed JSON (upstream's keys) and fills in the defaults. */
export function parseRouterConfig(json: unknown, origin = 'router config'): RouterConfig {
  const issues: ConfigIssue[] = []
  const value = checkObject(json, rules, '', origin, issues)
  if (issues.length > 0) throw new SpicaConfigError(issues)
  const given = (key: string, fallback: number): number => (value[key] as number | undefined) ?? fallback
  const on = (key: string): boolean => (value[key] as boolean | undefined) ?? true
  const base = defaultRouterConfig
  return {
    overlapScoreCredit: given('overlap_score_credit', base.overlapScoreCredit),
    overlapScoreCreditDecay: given('overlap_score_credit_decay', base.overlapScoreCreditDecay),
    prefillLoadScale: given('prefill_load_scale', base.prefillLoadScale),
    decodeActiveRequestWeight: given('decode_active_request_weight', base.decodeActiveRequestWeight),
    hostCacheHitWeight: given('host_cache_hit_weight', base.hostCacheHitWeight),
    diskCacheHitWeight: given('disk_cache_hit_weight', base.diskCacheHitWeight),
    temperature: given('router_temperature', base.temperature),
    queueThreshold: (value['router_queue_threshold'] as number | undefined) ?? null,
    queuePolicy: (value['router_queue_policy'] as RouterConfig['queuePolicy'] | undefined) ?? base.queuePolicy,
    useKvEvents: on('use_kv_events'),
    trackActiveBlocks: on('router_track_active_blocks'),
    trackPrefillTokens: on('router_track_prefill_tokens'),
    assumeReuse: on('router_assume_kv_reuse'),
  }
}
