/** Router settings with defaults filled in; see `parseRouterConfig`. */
export interface RouterConfig {
  /** Weight of the prefix a worker already holds. */
  readonly overlapScoreCredit: number
  readonly overlapScoreCreditDecay: number
  readonly prefillLoadScale: number
  readonly decodeActiveRequestWeight: number
  readonly hostCacheHitWeight: number
  readonly diskCacheHitWeight: number
  /** 0 = always the cheapest target; above, softmax. */
  readonly temperature: number
  /** Queue while every target's pending prefill tokens exceed this · max_num_batched_tokens; null = never. */
  readonly queueThreshold: number | null
  readonly queuePolicy: 'fcfs' | 'lcfs' | 'wspt'
  readonly useKvEvents: boolean
  readonly trackActiveBlocks: boolean
  readonly trackPrefillTokens: boolean
  readonly assumeReuse: boolean
}

export const defaultRouterConfig: RouterConfig = {
  overlapScoreCredit: 1,
  overlapScoreCreditDecay: 0,
  prefillLoadScale: 1,
  decodeActiveRequestWeight: 0,
  hostCacheHitWeight: 0.75,
  diskCacheHitWeight: 0.25,
  temperature: 0,
  queueThreshold: null,
  queuePolicy: 'fcfs',
  useKvEvents: true,
  trackActiveBlocks: true,
  trackPrefillTokens: true,
  assumeReuse: true,
}
