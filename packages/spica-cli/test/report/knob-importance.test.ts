import { describe, expect, it } from 'vitest'
import { knobImportance, levelLabels } from '../../src/report/knob-importance.js'

const goal = [{ name: 'throughput', direction: 'maximize' as const }]

/** Trials over a grid of three knobs, of which only `tp` moves the objective, `noise` hardly. */
function grid() {
  return [1, 2, 4, 8].flatMap((tp) =>
    ['a', 'b'].flatMap((noise) =>
      [1, 2, 3].map((seed) => ({
        config: { tp, gpus: tp * 10, noise, seed, fixed: 7, tree: { deep: noise } },
        objectives: { throughput: tp * 100 + (noise === 'a' ? 1 : 0) + seed * 0.1 },
      })),
    ),
  )
}

describe('knobImportance', () => {
  it('gives nearly all to the knob that decides, and its best level', () => {
    const [first, ...rest] = knobImportance(grid(), goal)
    expect(first?.knob).toBe('tp')
    expect(first?.others).toEqual(['gpus'])
    expect(first?.share).toBeGreaterThan(0.99)
    expect(first?.effects['throughput']?.levels[0]).toMatchObject({ label: '8', count: 6 })
    for (const knob of rest) expect(knob.share).toBeLessThan(0.01)
    expect(rest.map((knob) => knob.knob)).not.toContain('fixed')
  })

  it('corrects for chance: a knob with many values explains nothing by itself', () => {
    const trials = Array.from({ length: 60 }, (_, index) => ({
      config: { random: (index * 37) % 60, tp: index % 2 },
      objectives: { throughput: ((index * 53) % 61) / 61 },
    }))
    const random = knobImportance(trials, goal).find(({ knob }) => knob === 'random')
    expect(random?.share).toBeLessThan(0.15)
  })

  it('looks at a knob of one mode among the trials that have it', () => {
    const trials = grid().map((trial, index) =>
      index % 2 === 0 ? trial : { ...trial, config: { ...trial.config, prefill_tp: trial.config.tp } },
    )
    const knob = knobImportance(trials, goal).find((one) => one.knob === 'prefill_tp')
    expect(knob).toMatchObject({ trials: 12 })
    expect(knob?.effects['throughput']?.levels).toHaveLength(4)
  })

  it('turns the order of levels with the direction', () => {
    const [first] = knobImportance(grid(), [{ name: 'throughput', direction: 'minimize' }])
    expect(first?.effects['throughput']?.levels[0]?.label).toBe('1')
  })

  it('says nothing of few trials, and nothing of equal ones', () => {
    expect(knobImportance(grid().slice(0, 7), goal)).toEqual([])
    expect(knobImportance(new Array(20).fill(grid()[0]), goal)).toEqual([])
  })
})

describe('levelLabels', () => {
  it('cuts many numbers into groups of equal size', () => {
    const labels = levelLabels(Array.from({ length: 60 }, (_, index) => index))
    expect(new Set(labels).size).toBe(6)
    expect(labels.filter((label) => label === labels[0])).toHaveLength(10)
    expect(labels[0]).toBe('0 … 9')
  })
})
