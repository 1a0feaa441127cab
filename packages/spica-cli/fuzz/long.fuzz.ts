import { expect, it } from 'vitest'
import { failureText, runCampaign } from './campaign.js'
import { FUZZ_KINDS, type FuzzKind } from './fuzz-case.js'

const number = (name: string, fallback: number): number => Number(process.env[name] ?? fallback)
const seed = number('SPICA_FUZZ_SEED', 1)
const named = process.env['SPICA_FUZZ_KIND']

it('answers every attack with a message and a documented exit code', { timeout: 3_600_000 }, async () => {
  const result = await runCampaign({
    cases: number('SPICA_FUZZ_CASES', 12_000),
    seed,
    from: number('SPICA_FUZZ_FROM', 0),
    caseLimitMs: 30_000,
    ...(named === undefined ? {} : { kinds: FUZZ_KINDS.filter((kind): kind is FuzzKind => kind === named) }),
  })
  const cases = Object.values(result.ran).reduce((sum, count) => sum + count, 0)
  const lines = result.failures.slice(0, 40).map((failure) => failureText(failure, seed))
  lines.push(JSON.stringify(result.outcomes))
  lines.push(
    `${cases} cases of seed ${seed} (${FUZZ_KINDS.map((kind) => `${kind} ${result.ran[kind]}`).join(', ')}): ` +
      `${result.failures.length} failures, ${(result.elapsedMs / 1000).toFixed(1)} s, ` +
      `slowest ${result.slowestMs.toFixed(0)} ms (${result.slowest})`,
  )
  process.stdout.write(lines.join('\n') + '\n')
  expect(result.failures.length).toBe(0)
})
