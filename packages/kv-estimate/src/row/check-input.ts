import { SpicaError } from '@spica/schema'
import type { KvEstimateInput } from '../kv-types.js'
import { divisibilityProblem } from '../rules/divisibility-rule.js'

/** Largest count anyone may ask for; beyond it figures would lose precision. */
const LARGEST_COUNT = 2 ** 31

const COUNTS = ['tp', 'attentionDp', 'moeTp', 'moeEp'] as const

/** Row and config spelling of each figure, for messages. */
const SPELLING: Readonly<Record<string, string>> = {
  tp: 'tp',
  attentionDp: 'attention_dp',
  moeTp: 'moe_tp',
  moeEp: 'moe_ep',
  maxNumBatchedTokens: 'max_num_batched_tokens',
  maxNumSeqs: 'max_num_seqs',
  memoryFraction: 'memory_fraction',
}

/** Throws `SpicaError` for figures that mean nothing: `invalid-number`, or a divisibility code. */
export function checkInput(input: KvEstimateInput): void {
  for (const name of COUNTS) checkCount(name, input.shape[name])
  checkCount('maxNumBatchedTokens', input.settings.maxNumBatchedTokens)
  checkCount('maxNumSeqs', input.settings.maxNumSeqs)
  const fraction = input.settings.memoryFraction
  if (!(typeof fraction === 'number' && fraction > 0 && fraction <= 1)) {
    throw numberError('memoryFraction', fraction, 'must be above 0 and at most 1')
  }
  if (input.maxSequenceTokens !== undefined) checkCount('maxSequenceTokens', input.maxSequenceTokens)
  const problem = divisibilityProblem(input.model, input.shape)
  if (problem !== null) {
    throw new SpicaError('input', problem.code, problem.message, { details: problem.numbers })
  }
}

function checkCount(name: string, value: unknown): void {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= LARGEST_COUNT) return
  throw numberError(name, value, `must be a whole number from 1 to ${LARGEST_COUNT}`)
}

function numberError(name: string, value: unknown, rule: string): SpicaError {
  const key = SPELLING[name] ?? name
  return new SpicaError('input', 'invalid-number', `${key} ${rule}, not ${String(value)}`, { location: { path: key } })
}
