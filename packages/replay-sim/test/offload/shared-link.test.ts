import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HostCache } from '../../src/engine/offload/host-cache.js'
import { SharedLink } from '../../src/engine/offload/shared-link.js'

describe('SharedLink', () => {
  it('gives each of N transfers a share of B/N', () => {
    const link = new SharedLink(1) // 10^6 bytes a ms
    link.start(0, 10e6, 1)
    expect(link.deadlineMs).toBe(10)
    link.start(4, 3e6, 2) // transfer 1 has 6 ms left alone: both progress at half speed
    expect(link.deadlineMs).toBe(10)
    expect(link.collect(9.5)).toEqual([])
    expect(link.collect(10)).toEqual([2])
    expect(link.deadlineMs).toBe(13)
    expect(link.collect(20)).toEqual([1])
    expect(link.deadlineMs).toBe(Number.POSITIVE_INFINITY)
  })

  it('moves all bytes in the time one transfer would take, whatever the order', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(sizes, (bytes) => {
        const link = new SharedLink(2)
        bytes.forEach((size, tag) => {
          link.start(0, size, tag)
        })
        const total = bytes.reduce((sum, size) => sum + size, 0)
        const ended: number[] = []
        let last = 0
        while (link.active > 0) {
          last = link.deadlineMs
          ended.push(...link.collect(last))
        }
        expect(last).toBeCloseTo(total / 2e6, 9)
        expect(ended.map((tag) => bytes[tag]!)).toEqual([...bytes].sort((a, b) => a - b))
      }),
    )
  })
})

describe('HostCache', () => {
  it('drops the least recently used block', () => {
    const cache = new HostCache(2)
    cache.touch(1)
    cache.touch(2)
    cache.touch(1)
    cache.touch(3)
    expect([1, 2, 3].map((id) => cache.has(id))).toEqual([true, false, true])
  })
})
