import { describe, expect, it } from 'vitest'
import { classifyBottleneck, type PoolTimeline } from '../../src/report/bottleneck.js'

function pool(load: { busy: number; kv: number; running: number; waiting: number }): PoolTimeline {
  const constant = (value: number) => new Array<number>(11).fill(value)
  return {
    timeMs: Array.from({ length: 11 }, (_, index) => index * 100),
    busyWorkers: constant(load.busy),
    kvUtilisation: constant(load.kv),
    runningRequests: constant(load.running),
    waitingRequests: constant(load.waiting),
  }
}

const calm = { busy: 1, kv: 0.4, running: 20, waiting: 0 }
const base = { metrics: {}, closedLoop: true, prefillShare: null }

describe('classifyBottleneck', () => {
  it('names a full KV cache with a queue first', () => {
    const timeline = { decode: pool({ busy: 0.5, kv: 0.95, running: 20, waiting: 4 }) }
    expect(classifyBottleneck({ ...base, timeline })?.kind).toBe('kv')
  })

  it('does not blame a full cache that nobody waits for', () => {
    const timeline = { decode: pool({ ...calm, kv: 0.97 }) }
    expect(classifyBottleneck({ ...base, timeline })?.kind).toBe('decode')
  })

  it('blames the router for a queue beside idle workers', () => {
    const timeline = { decode: pool({ busy: 0.5, kv: 0.3, running: 10, waiting: 5 }) }
    expect(classifyBottleneck({ ...base, timeline })?.kind).toBe('router')
  })

  it('sees a saturated prefill pool', () => {
    const timeline = { prefill: pool({ busy: 0.97, kv: 0.1, running: 4, waiting: 0 }), decode: pool(calm) }
    expect(classifyBottleneck({ ...base, timeline })?.kind).toBe('prefill')
  })

  it('needs a queue to blame prefill in an open loop', () => {
    const busy = { busy: 1, kv: 0.1, running: 4 }
    const quiet = { prefill: pool({ ...busy, waiting: 0 }), decode: pool(calm) }
    expect(classifyBottleneck({ ...base, closedLoop: false, timeline: quiet })?.kind).toBe('traffic')
    const queued = { prefill: pool({ ...busy, waiting: 3 }), decode: pool(calm) }
    expect(classifyBottleneck({ ...base, closedLoop: false, timeline: queued })?.kind).toBe('prefill')
  })

  it('counts a request for each busy worker, where passes start and end requests', () => {
    const busy = {
      ...pool({ busy: 1, kv: 0.1, running: 0, waiting: 0.4 }),
      activeWorkers: new Array<number>(11).fill(10),
    }
    const bottleneck = classifyBottleneck({
      ...base,
      closedLoop: false,
      timeline: { prefill: busy, decode: pool(calm) },
    })
    expect(bottleneck?.kind).toBe('traffic')
    expect(bottleneck?.numbers).toContainEqual(['prefill: requests waiting', '4 %'])
  })

  it('sees decode behind a prefill pool at rest', () => {
    const timeline = { prefill: pool({ busy: 0.3, kv: 0.1, running: 4, waiting: 0 }), decode: pool(calm) }
    const bottleneck = classifyBottleneck({ ...base, timeline })
    expect(bottleneck?.kind).toBe('decode')
    expect(bottleneck?.numbers).toContainEqual(['prefill: workers busy', '30 %'])
  })

  it('says that traffic sets the pace of an open loop without a queue', () => {
    expect(classifyBottleneck({ ...base, closedLoop: false, timeline: { decode: pool(calm) } })?.kind).toBe('traffic')
  })

  it('splits aggregated time by pass time, else by latency', () => {
    const timeline = { decode: pool(calm) }
    const latencies = { mean_ttft_ms: 900, mean_e2e_latency_ms: 1000 }
    expect(classifyBottleneck({ ...base, timeline, metrics: latencies })?.kind).toBe('prefill')
    expect(classifyBottleneck({ ...base, timeline, metrics: latencies, prefillShare: 0.2 })?.kind).toBe('decode')
    expect(classifyBottleneck({ ...base, timeline, prefillShare: 0.6 })?.kind).toBe('prefill')
  })

  it('leaves the filling and draining of a run out', () => {
    const steady = pool({ busy: 1, kv: 0.3, running: 20, waiting: 0 })
    const waiting = (steady['waitingRequests'] as number[]).map((_, index) => (index === 0 || index === 10 ? 500 : 0))
    const timeline = { decode: { ...steady, waitingRequests: waiting } }
    expect(classifyBottleneck({ ...base, closedLoop: false, timeline })?.kind).toBe('traffic')
  })

  it('says nothing without a timeline', () => {
    expect(classifyBottleneck({ ...base, timeline: {} })).toBeNull()
  })
})
