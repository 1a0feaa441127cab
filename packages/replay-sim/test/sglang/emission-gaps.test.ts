import { expect, it } from 'vitest'
import { EmissionGaps } from '../../src/engine/sglang/emission-gaps.js'

it('keeps every gap that may still be asked for, whatever it drops', () => {
  let oldest = 1
  const gaps = new EmissionGaps(() => oldest)
  for (let emission = 1; emission <= 50_000; emission++) {
    oldest = Math.max(oldest, emission - (emission < 20_000 ? 10 : 9_000))
    gaps.push(emission / 4)
    for (const asked of [oldest, Math.floor((oldest + emission) / 2), emission]) expect(gaps.at(asked)).toBe(asked / 4)
  }
})
