/** CPU time of a batch of eight after n random observations: 12 mixed parameters, two objectives. */
import { createOptimizer, createRandomOptimizer } from '../../packages/optimizer-gp/dist/index.js'
import { servingTradeOff } from '../../packages/optimizer-gp/dist/test-functions/index.js'

/** Targets in CPU ms by number of observations. */
export const LATENCY_TARGETS_MS = { 50: 150, 100: 250, 200: 600, 400: 1000, 640: 1500 }

function observe(options, n) {
  const random = createRandomOptimizer(options)
  const asked = random.ask(n)
  random.tell(
    asked.map(({ id, parameters: x }) => {
      const a = Math.log2(x.tp) + 0.5 * x.pp + Math.log2(x.conc) * (x.quant === 'fp8' ? 1.2 : 1) + x.kv_frac
      const b =
        10 - Math.log2(x.max_batch) + Math.sin(3 * x.prefill_ratio) + (x.sched === 'disagg' ? 1 : 0) + x.spec_k / 5
      return { id, status: 'complete', metrics: { perGpu: a - 0.1 * b, perUser: b } }
    }),
  )
  return random.snapshot()
}

/**
 * Two warm asks on a study that grew to n observations: the state of a running sweep. The first ask has fitted the
 * hyper-parameters to n − 8 observations; the one that is timed refits to n and suggests eight.
 */
export function measureLatency(n, repeats = 5) {
  const { parameters, objectives } = servingTradeOff
  let best = Number.POSITIVE_INFINITY
  for (let repeat = 0; repeat < repeats; repeat++) {
    const options = { parameters, objectives, seed: repeat }
    const trials = observe(options, n).trials
    const earlier = { ...createOptimizer(options).snapshot(), trials: trials.slice(0, n - 8) }
    const optimizer = createOptimizer({ ...options, snapshot: earlier })
    const asked = optimizer.ask(8)
    optimizer.tell(
      asked.map(({ id }, i) => ({
        id,
        status: 'complete',
        metrics: { perGpu: trials[n - 8 + i].outcome[0], perUser: trials[n - 8 + i].outcome[1] },
      })),
    )
    const before = process.cpuUsage()
    optimizer.ask(8)
    const used = process.cpuUsage(before)
    best = Math.min(best, (used.user + used.system) / 1000)
  }
  return best
}

if (process.argv[1] === import.meta.filename) {
  for (const [n, target] of Object.entries(LATENCY_TARGETS_MS)) {
    const ms = measureLatency(Number(n))
    console.log(`${n} observations: ${ms.toFixed(0)} CPU ms, ${(ms / target).toFixed(2)} of the target of ${target}`)
  }
}
