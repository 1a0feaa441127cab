/** Peers in Python, each in a child process; undefined where Python or the package is missing. */
import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { score } from './run-study.mjs'

/** Python that can import a module: `SPICA_PYTHON`, else python3. */
export function findPython(module) {
  const python = process.env.SPICA_PYTHON ?? 'python3'
  return spawnSync(python, ['-c', `import ${module}`], { stdio: 'ignore' }).status === 0 ? python : undefined
}

/** As `runStudy`, with the suggestions of a Python script of this folder. */
export async function runPeerStudy(
  python,
  script,
  sampler,
  problem,
  seed,
  { batch = 8, checkpoints = [20, 40, 80] } = {},
) {
  const child = spawn(python, [join(import.meta.dirname, script)], { stdio: ['pipe', 'pipe', 'ignore'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const send = (message) => child.stdin.write(`${JSON.stringify(message)}\n`)
  const receive = async () => {
    const { value, done } = await lines.next()
    if (done) throw new Error(`${script} (${sampler}) ended early on ${problem.name}`)
    return JSON.parse(value)
  }
  const { parameters, objectives } = problem
  send({ sampler, seed, parameters, objectives })
  const outcomes = []
  const budget = checkpoints[checkpoints.length - 1]
  while (outcomes.length < budget) {
    send({ ask: Math.min(batch, budget - outcomes.length) })
    const asked = await receive()
    const tell = asked.map(({ id, parameters: x }) => {
      const values = problem.evaluate(x)
      outcomes.push(values)
      return { id, values }
    })
    send({ tell })
    await receive()
  }
  child.stdin.end()
  return { scores: checkpoints.map((c) => score(problem, outcomes.slice(0, c))) }
}
