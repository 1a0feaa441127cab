import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { goldenFolder, hasGolden, readGoldenJson } from '../../../conformance/golden.js'
import { workspace } from '../test/support/run-spica.js'

interface Case {
  readonly trace: string
  readonly interval_s: number
  readonly windows: readonly unknown[]
  readonly presets: Readonly<Record<string, { loss: number } | null>>
  readonly complete: boolean
  readonly winner: string
}

/** Relative tolerance of a loss by family. */
const TOLERANCE = { constant: 1e-8, kalman: 1e-8, prophet: 0.03, arima: 0.1 } as const
const toleranceOf = (preset: string) => TOLERANCE[preset.split('_')[0] as keyof typeof TOLERANCE]

describe.skipIf(!hasGolden)('spica forecast on the golden traces', () => {
  it('gives the golden losses and winners', { timeout: 600_000 }, async () => {
    const { cases } = readGoldenJson<{ cases: Case[] }>('predictors/predictors.json')
    const wrong: string[] = []
    let compared = 0
    for (const golden of cases) {
      const file = [golden.trace, `${golden.trace}.jsonl`]
        .map((name) => join(goldenFolder, 'predictors', 'traces', name))
        .find(existsSync)
      // The planner's own conformance test covers the long series; this one is about the command.
      if (file === undefined || golden.windows.length > 60) continue
      const at = workspace()
      const run = await at.spica(
        'forecast',
        file,
        '--interval',
        String(golden.interval_s),
        '--compat',
        'dynamo-1.4',
        '--json',
      )
      at.remove()
      const ours = JSON.parse(run.stdout) as { windows: number; losses: Record<string, number>; winner: string }
      if (ours.windows !== golden.windows.length)
        wrong.push(`${golden.trace}@${golden.interval_s}: ${ours.windows} windows`)
      for (const [preset, expected] of Object.entries(golden.presets)) {
        if (expected === null || !Number.isFinite(expected.loss)) continue
        compared++
        const error = Math.abs((ours.losses[preset] ?? Number.NaN) - expected.loss) / Math.max(1e-9, expected.loss)
        if (!(error <= toleranceOf(preset)))
          wrong.push(`${golden.trace}@${golden.interval_s} ${preset}: off by ${(error * 100).toFixed(2)} %`)
      }
    }
    console.log(`forecast losses: ${compared - wrong.length} of ${compared}`)
    expect(wrong).toEqual([])
    expect(compared).toBeGreaterThan(0)
  })
})
