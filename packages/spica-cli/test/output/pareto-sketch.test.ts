import { describe, expect, it } from 'vitest'
import { paretoSketch } from '../../src/output/pareto-sketch.js'

describe('paretoSketch', () => {
  it('draws points between the ranges of both axes', () => {
    const text = paretoSketch(
      { title: 'per user', values: [20, 60, 100] },
      { title: 'per GPU', values: [1800, 900, 3] },
    )
    const lines = text.split('\n')
    expect(lines[0]).toContain('per GPU')
    expect(lines[1]).toMatch(/^1800 \|o/)
    expect(lines[16]).toMatch(/^ {3}3 \| +o$/)
    expect(lines[17]).toMatch(/^ +\+-{60}$/)
    expect(lines[18]).toMatch(/^ +20 +100$/)
    expect(text.match(/o/g)).toHaveLength(3)
  })

  it('marks cells with several points', () => {
    const text = paretoSketch({ title: '', values: [1, 1, 2] }, { title: '', values: [1, 1, 2] })
    expect(text).toContain('O')
  })

  it('fits narrow terminals and gives up on very narrow ones', () => {
    const draw = (columns: number) =>
      paretoSketch({ title: '', values: [1, 2] }, { title: '', values: [123456, 2] }, columns)
    for (const line of draw(48).split('\n')) expect(line.length).toBeLessThanOrEqual(48)
    expect(draw(20)).toBe('')
  })

  it('draws nothing for fewer than two points or without finite values', () => {
    expect(paretoSketch({ title: '', values: [1] }, { title: '', values: [1] })).toBe('')
    expect(paretoSketch({ title: '', values: [1, Number.NaN] }, { title: '', values: [1, 2] })).toBe('')
  })
})
