import { expect, it } from 'vitest'
import { failureText, runCampaign } from '../../fuzz/campaign.js'

const SEED = 20_000

it('answers damaged configs, traces, flags, ledgers, jobs and rows with a message and a documented code', async () => {
  const result = await runCampaign({ cases: 1500, seed: SEED, caseLimitMs: 30_000 })

  expect(result.failures.map((failure) => failureText(failure, SEED))).toEqual([])
  // The campaign is of use only while many inputs get past the first check.
  const answered = (prefix: string) =>
    Object.entries(result.outcomes).reduce((sum, [name, count]) => sum + (name.startsWith(prefix) ? count : 0), 0)
  expect(answered('config validate exit 0')).toBeGreaterThan(20)
  expect(answered('trace check exit 0')).toBeGreaterThan(60)
  expect(answered('replay exit 0')).toBeGreaterThan(50)
  expect(answered('ledger torn exit 0')).toBeGreaterThan(4)
  expect(answered('job evaluated')).toBeGreaterThan(20)
}, 120_000)
