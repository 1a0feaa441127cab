import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runCli } from '../../src/run-cli.js'

/** Built binary, for tests that need a process of their own. */
export const MAIN_FILE: string = fileURLToPath(new URL('../../dist/main.js', import.meta.url))

export interface SpicaRun {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** A folder of its own for a test, with files in it, removed by `remove`. */
export interface Workspace {
  readonly folder: string
  path(name: string): string
  read(name: string): string
  exists(name: string): boolean
  /** Runs a command line in this process; `{}` in an argument stands for the folder. */
  spica(...args: string[]): Promise<SpicaRun>
  remove(): void
}

export function workspace(files: Readonly<Record<string, string | Uint8Array>> = {}): Workspace {
  const folder = mkdtempSync(join(tmpdir(), 'spica-test-'))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  return {
    folder,
    path: (name) => join(folder, name),
    read: (name) => readFileSync(join(folder, name), 'utf8'),
    exists: (name) => existsSync(join(folder, name)),
    spica: (...args) => spica(args.map((arg) => arg.replaceAll('{}', folder))),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

async function spica(args: readonly string[]): Promise<SpicaRun> {
  const out: string[] = []
  const err: string[] = []
  const code = await runCli(args, {
    stdout: { write: (text) => out.push(text) },
    stderr: { write: (text) => err.push(text) },
    onInterrupt: () => () => {},
  })
  return { code, stdout: out.join(''), stderr: err.join('') }
}

/** A process of the built binary. */
export interface SpicaProcess {
  readonly done: Promise<SpicaRun>
  kill(signal: NodeJS.Signals): void
}

export function spawnSpica(args: readonly string[], cwd: string): SpicaProcess {
  const child = spawn(process.execPath, [MAIN_FILE, ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => void (stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => void (stderr += chunk.toString()))
  const done = new Promise<SpicaRun>((resolve) => {
    child.on('close', (code) => resolve({ code: code ?? -1, stdout, stderr }))
  })
  return { done, kill: (signal) => void child.kill(signal) }
}

/** A sweep that takes a second or two: small requests, random search. */
export function smallSweep(changes: { goal?: string; sweep?: string; workload?: string; space?: string } = {}): string {
  return `search_space:
  model_name: meta-llama/Meta-Llama-3.1-8B
  hardware_sku: h200_sxm
  gpu_budget: 4
  context_length: 4096
  deployment_mode: [agg, disagg]
  backend: [vllm, sglang]
  planner_scaling_policy: [disabled]
${changes.space ?? ''}workload:
${changes.workload ?? '  isl: 512\n  osl: 32\n  concurrency: 16\n  num_request_ratio: 3\n'}goal:
${changes.goal ?? '  target: throughput_per_gpu\n'}sweep:
  max_rounds: 3
  parallel_evals: 4
  random_seed: 7
  optimizer: random
${changes.sweep ?? ''}`
}
