#!/usr/bin/env node
/**
 * Quality and latency of the optimisers, in two tables.
 *
 *   node benchmarks/optimizer/run.mjs [--seeds 10] [--problems a,b] [--held-out] [--no-peers] [--vizier-seeds 0]
 *
 * Quality: medians over seeds 0 … n−1, batches of 8; regret for one objective, share of the known hypervolume for
 * several, after 40 and 80 trials, beside the target and the ratio to the best peer of this run (above 1 is better).
 * Peers: random and Sobol of this package; Optuna's TPE and NSGA-II, and with --vizier-seeds N Vizier on two problems
 * (about 100 CPU seconds a batch), where SPICA_PYTHON or python3 has them. Needs `pnpm build` first.
 */
import { parseArgs } from 'node:util'
import {
  createOptimizer,
  createQuasiRandomOptimizer,
  createRandomOptimizer,
} from '../../packages/optimizer-gp/dist/index.js'
import { benchmarkProblems } from '../../packages/optimizer-gp/dist/test-functions/index.js'
import { heldOutProblems } from './held-out-problems.mjs'
import { LATENCY_TARGETS_MS, measureLatency } from './latency.mjs'
import { findPython, runPeerStudy } from './peers.mjs'
import { median, runStudy } from './run-study.mjs'

/** After 40 and 80 trials. */
const TARGETS = {
  branin: [1e-3, 1e-4],
  hartmann6: [0.1, 1e-3],
  ackley10sr: [11, 5.5],
  func3c: [0.29, 1e-3],
  hpo7: [0.045, 0.018],
  serving_so: [450, 250],
  zdt1_5: [0.99, 0.996],
  zdt2_5: [0.99, 0.993],
  dtlz2_6_3: [0.43, 0.6],
  branincurrin: [0.936, 0.987],
  vehicle: [0.923, 0.935],
  serving_mo: [0.46, 0.66],
}
const VIZIER_PROBLEMS = new Set(['hartmann6', 'serving_mo'])

const { values: flags } = parseArgs({
  options: {
    seeds: { type: 'string', default: '10' },
    problems: { type: 'string' },
    'held-out': { type: 'boolean', default: false },
    peers: { type: 'boolean', default: true },
    'vizier-seeds': { type: 'string', default: '0' },
  },
  allowNegative: true,
})
const seeds = Number(flags.seeds)
const chosen = flags.problems?.split(',')
const problems = [...benchmarkProblems, ...(flags['held-out'] ? heldOutProblems : [])].filter(
  (p) => chosen === undefined || chosen.includes(p.name),
)

const ours = { random: createRandomOptimizer, sobol: createQuasiRandomOptimizer, gp: createOptimizer }
const optuna = flags.peers ? findPython('optuna') : undefined
const vizierSeeds = flags.peers ? Number(flags['vizier-seeds']) : 0
const vizier = vizierSeeds > 0 ? findPython('vizier._src.algorithms.designers.gp_ucb_pe') : undefined
if (flags.peers && optuna === undefined)
  console.log('Optuna not found (set SPICA_PYTHON): TPE and NSGA-II are left out.')
if (vizierSeeds > 0 && vizier === undefined) console.log('Vizier not found: left out.')

async function medians(count, study) {
  const runs = []
  for (let seed = 0; seed < count; seed++) runs.push(await study(seed))
  return { at: [1, 2].map((k) => median(runs.map((r) => r.scores[k]))), cpuMs: median(runs.map((r) => r.cpuMs ?? 0)) }
}

const show = (v) => (Number.isFinite(v) ? v.toPrecision(3) : '–')
const cell = (pair) => pair.map(show).join(' / ')
const peerNames = ['random', 'sobol', ...(optuna ? ['tpe', 'nsga2'] : []), ...(vizier ? ['vizier'] : [])]

console.log(`\n## Quality: medians of ${seeds} seeds after 40 / 80 trials\n`)
console.log(`| problem | ${peerNames.join(' | ')} | gp | target | met | gain over best peer | CPU ms per batch |`)
console.log(`|---|${peerNames.map(() => '---|').join('')}---|---|---|---|---|`)
for (const problem of problems) {
  const results = {}
  for (const [name, create] of Object.entries(ours)) {
    results[name] = await medians(seeds, (seed) => runStudy(problem, create, seed))
  }
  if (optuna) {
    for (const sampler of ['tpe', 'nsga2']) {
      results[sampler] = await medians(seeds, (seed) => runPeerStudy(optuna, 'optuna_peer.py', sampler, problem, seed))
    }
  }
  if (vizier && VIZIER_PROBLEMS.has(problem.name)) {
    results.vizier = await medians(vizierSeeds, (seed) =>
      runPeerStudy(vizier, 'vizier_peer.py', 'default', problem, seed),
    )
  }
  const single = problem.optimum !== undefined
  const target = TARGETS[problem.name]
  const gains = [0, 1].map((k) => {
    const peers = peerNames.flatMap((name) => (results[name] ? [results[name].at[k]] : []))
    return single ? Math.min(...peers) / results.gp.at[k] : results.gp.at[k] / Math.max(...peers)
  })
  const met = target?.map((t, k) => (single ? results.gp.at[k] <= t : results.gp.at[k] >= t)) ?? []
  const columns = [
    problem.name,
    ...peerNames.map((name) => (results[name] ? cell(results[name].at) : '–')),
    cell(results.gp.at),
    target ? cell(target) : '–',
    met.map((ok) => (ok ? 'yes' : 'NO')).join(' / ') || '–',
    cell(gains),
    (results.gp.cpuMs / 10).toFixed(0),
  ]
  console.log(`| ${columns.join(' | ')} |`)
}

console.log('\n## Latency: CPU ms per batch of 8, 12 mixed parameters, two objectives, best of 5\n')
console.log('| observations | gp | target | share of target |\n|---|---|---|---|')
for (const [n, target] of Object.entries(LATENCY_TARGETS_MS)) {
  const ms = measureLatency(Number(n))
  console.log(`| ${n} | ${ms.toFixed(0)} | ${target} | ${(ms / target).toFixed(2)} |`)
}
