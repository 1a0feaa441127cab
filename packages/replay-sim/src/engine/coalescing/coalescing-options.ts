import type { Workload } from '../../workload/workload.js'
import type { ResolvedEngine } from '../engine-settings.js'
import type { PromptBlocks } from '../prompt-blocks.js'
import type { CoalescingOptions } from './coalescing-engine.js'
import { newSequenceTable } from './sequence-table.js'

export interface CoalescingQuestion {
  readonly settings: ResolvedEngine
  readonly workload: Workload
  readonly outputTokens: Int32Array
  readonly blocks: PromptBlocks
  readonly overlapIsWatched: boolean
  readonly hasTimeCap: boolean
  /** Host KV tiers are configured and simulated. */
  readonly hasOffload: boolean
}

/**
 * Options for the engines of one pool, or null when the pool has something that only the pass-by-pass engine does: multi-token
 * prediction, fifo preemption, a host-memory tier, empty prompts, or generated blocks that other requests share.
 */
export function coalescingOptions(question: CoalescingQuestion): CoalescingOptions | null {
  const { settings, workload, outputTokens, blocks } = question
  if (settings.type === 'sglang' || settings.mtpTokens > 0 || question.hasOffload) return null
  if (settings.offload.hostBlocks > 0) return null
  if (settings.type === 'vllm' && settings.preemption === 'fifo') return null
  const { inputTokens, count } = workload
  let longestOutput = 1
  let outgrows = false
  for (let request = 0; request < count; request++) {
    const input = inputTokens[request]!
    const output = outputTokens[request]!
    if (input < 1 || blocks.sharedBlocks[request]! > Math.floor(input / settings.blockSize)) return null
    if (output > longestOutput) longestOutput = output
    if (input + output > settings.blocks * settings.blockSize) outgrows = true
  }
  return {
    table: newSequenceTable(inputTokens, blocks.ids.length),
    longestOutput,
    tracksUnfinished: question.hasTimeCap || outgrows || settings.role === 'decode',
    overlapIsWatched: question.overlapIsWatched,
  }
}
