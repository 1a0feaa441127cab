// The packed tarballs in an empty folder, as a user gets them: the command, a sweep, and single packages on their own.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SINGLE_IMPORTS } from './single-imports.mjs'

const SWEEP = `search_space:
  model_name: meta-llama/Meta-Llama-3.1-8B
  hardware_sku: h200_sxm
  gpu_budget: 4
  deployment_mode: [agg]
  router_mode: [round_robin]
  planner_scaling_policy: [disabled]
workload: {isl: 512, osl: 64, concurrency: 16, num_request_ratio: 4}
sweep: {max_rounds: 2, parallel_evals: 2}
`

/** Runs all smoke tests in `folder`; `tarballs` maps package name to path. Answers problems. */
export function smokeProblems(folder, packages, tarballs) {
  return [
    ...attempt('command', () => smokeCommand(join(folder, 'command'), tarballs)),
    ...SINGLE_IMPORTS.flatMap(({ name, code }) =>
      attempt(name, () => smokeImport(join(folder, name.replace('@spica/', 'only-')), name, code, packages, tarballs)),
    ),
  ]
}

function attempt(name, run) {
  try {
    run()
    return []
  } catch (error) {
    return [`smoke test of ${name}: ${error.message}`]
  }
}

function install(folder, files) {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"name":"smoke","private":true,"type":"module"}\n')
  run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error', ...files], folder)
}

function smokeCommand(folder, tarballs) {
  install(folder, [...tarballs.values()])
  const spica = (...args) => run('npx', ['--no-install', 'spica', ...args], folder)
  const help = spica('--help')
  if (!/predictions, not guarantees/.test(help)) throw new Error('--help does not say that figures are predictions')
  writeFileSync(join(folder, 'sweep.yaml'), SWEEP)
  spica('validate', 'sweep.yaml')
  spica('sweep', '--config', 'sweep.yaml', '--out', 'out', '--workers', '2')
  const candidates = JSON.parse(readFileSync(join(folder, 'out', 'candidates.json'), 'utf8'))
  if (candidates.length === 0) throw new Error('the sweep found no candidate')
  for (const name of ['study.json', 'trials.jsonl', 'candidates.csv', 'report.html'])
    if (!existsSync(join(folder, 'out', name))) throw new Error(`the sweep wrote no ${name}`)
}

/** Installs one package with the workspace packages it depends on, nothing else, and runs a few lines against it. */
function smokeImport(folder, name, code, packages, tarballs) {
  const wanted = new Set()
  const add = (id) => {
    if (wanted.has(id) || !tarballs.has(id)) return
    wanted.add(id)
    const { manifest } = packages.find((pkg) => pkg.manifest.name === id)
    for (const dependency of Object.keys(manifest.dependencies ?? {})) add(dependency)
  }
  add(name)
  install(
    folder,
    [...wanted].map((id) => tarballs.get(id)),
  )
  writeFileSync(join(folder, 'smoke.js'), code)
  run(process.execPath, ['smoke.js'], folder)
}

function run(command, args, cwd) {
  const result = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    timeout: 300_000,
    env: { ...process.env, NODE_OPTIONS: '', CI: 'true' },
  })
  if (result.status === 0) return result.stdout
  const output = `${result.stderr ?? ''}${result.stdout ?? ''}`.trim().split('\n').slice(-12).join('\n')
  throw new Error(`${command} ${args.slice(0, 3).join(' ')} … ended with ${result.status ?? result.signal}\n${output}`)
}
