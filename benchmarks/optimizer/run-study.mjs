/** One study: `ask(batch)`, evaluate, `tell`; the score after each checkpoint. */
import { hypervolume } from '../../packages/scorer/dist/pareto.js'

export function score(problem, outcomes) {
  if (problem.optimum !== undefined) {
    const best = outcomes.flat().filter(Number.isFinite)
    if (best.length === 0) return Number.POSITIVE_INFINITY
    const sign = problem.objectives[0].direction === 'maximize' ? 1 : -1
    return Math.abs(Math.max(...best.map((v) => sign * v)) - sign * problem.optimum)
  }
  const signs = problem.objectives.map((o) => (o.direction === 'maximize' ? 1 : -1))
  const points = outcomes.filter((y) => y !== null).map((y) => y.map((v, m) => signs[m] * v))
  const reference = problem.objectives.map((o, m) => signs[m] * o.referencePoint)
  return points.length === 0 ? 0 : hypervolume(points, reference) / problem.hypervolume
}

export function runStudy(problem, createOptimizer, seed, { batch = 8, checkpoints = [20, 40, 80] } = {}) {
  const { parameters, objectives } = problem
  const optimizer = createOptimizer({ parameters, objectives, seed })
  const outcomes = []
  const budget = checkpoints[checkpoints.length - 1]
  const before = process.cpuUsage()
  let evaluationUs = 0
  while (outcomes.length < budget) {
    const asked = optimizer.ask(Math.min(batch, budget - outcomes.length))
    if (asked.length === 0) break
    const t = process.cpuUsage()
    const told = asked.map(({ id, parameters: x }) => {
      const y = problem.evaluate(x)
      outcomes.push(y)
      if (y === null) return { id, status: 'infeasible', reason: 'constraint' }
      return { id, status: 'complete', metrics: Object.fromEntries(objectives.map((o, m) => [o.name, y[m]])) }
    })
    const d = process.cpuUsage(t)
    evaluationUs += d.user + d.system
    optimizer.tell(told)
  }
  const used = process.cpuUsage(before)
  return {
    scores: checkpoints.map((c) => score(problem, outcomes.slice(0, c))),
    cpuMs: (used.user + used.system - evaluationUs) / 1000,
  }
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  const half = sorted.length >> 1
  return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2
}
