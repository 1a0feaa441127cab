import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  type Backend,
  type DeploymentMode,
  parseConfigText,
  type ScalarTarget,
  SpicaConfigError,
  SpicaError,
  type StarterOptions,
  starterConfigYaml,
} from '@spica/schema'
import { Option } from 'commander'
import { writeFileAtomic } from '../io/atomic-write.js'
import type { CommandRegistration } from './command.js'
import { finiteNumber, wholeNumber } from './flags.js'

interface InitFlags {
  out?: string
  force?: true
  model?: string
  hardware?: string
  gpuBudget?: number
  mode?: DeploymentMode[]
  backend?: Backend[]
  goal?: ScalarTarget | 'pareto'
  trace?: string
  isl?: number
  osl?: number
  concurrency?: number
  requestRate?: number
  ttftMs?: number
  itlMs?: number
}

const TARGETS = [
  'throughput',
  'throughput_per_gpu',
  'throughput_per_user',
  'e2e_latency',
  'goodput',
  'goodput_per_gpu',
  'pareto',
]

export const registerInit: CommandRegistration = (program, environment) => {
  program
    .command('init')
    .description('write a commented config to start from; asks nothing')
    .option('--out <file>', 'file to write, or - for standard output', 'sweep.yaml')
    .option('--force', 'replace the file when it exists')
    .option('--model <name>', 'Hugging Face name, or path of a config.json')
    .option('--hardware <sku>', 'GPU type')
    .option('--gpu-budget <n>', 'most GPUs', wholeNumber(1))
    .addOption(new Option('--mode <modes...>', 'deployment modes').choices(['agg', 'disagg']))
    .addOption(new Option('--backend <names...>', 'engines to try').choices(['vllm', 'sglang', 'trtllm']))
    .addOption(new Option('--goal <target>', 'what to optimise').choices(TARGETS))
    .option('--trace <file>', 'replay this trace')
    .option('--isl <tokens>', 'prompt length', wholeNumber(1))
    .option('--osl <tokens>', 'output length', wholeNumber(1))
    .option('--concurrency <n>', 'requests in flight', wholeNumber(1))
    .option('--request-rate <per-second>', 'requests per second', finiteNumber(0))
    .option('--ttft-ms <ms>', 'bound on the time to first token', finiteNumber(0))
    .option('--itl-ms <ms>', 'bound on the time between tokens', finiteNumber(0))
    .action((flags: InitFlags) => {
      const text = starterConfigYaml(starterOptions(flags))
      const checked = parseConfigText(text, { file: 'the starter config' })
      if (!checked.ok) throw new SpicaConfigError(checked.issues)
      const out = flags.out ?? 'sweep.yaml'
      if (out === '-') return void environment.stdout.write(text)
      if (existsSync(out) && flags.force !== true)
        throw new SpicaError('input', 'file-exists', `${out} exists already`, {
          hint: 'give another --out, or --force',
        })
      writeFileAtomic(resolve(out), text)
      environment.stdout.write(`wrote ${out}; next: spica validate ${out}\n`)
    })
}

function starterOptions(flags: InitFlags): StarterOptions {
  const sla = {
    ...(flags.ttftMs === undefined ? {} : { ttft_ms: flags.ttftMs }),
    ...(flags.itlMs === undefined ? {} : { itl_ms: flags.itlMs }),
  }
  return {
    ...(flags.model === undefined ? {} : { modelName: flags.model }),
    ...(flags.hardware === undefined ? {} : { hardwareSku: flags.hardware }),
    ...(flags.gpuBudget === undefined ? {} : { gpuBudget: flags.gpuBudget }),
    ...(flags.mode === undefined ? {} : { deploymentModes: flags.mode }),
    ...(flags.backend === undefined ? {} : { backends: flags.backend }),
    ...(flags.goal === undefined ? {} : { target: flags.goal }),
    ...(flags.trace === undefined ? {} : { tracePath: flags.trace }),
    ...(flags.isl === undefined ? {} : { isl: flags.isl }),
    ...(flags.osl === undefined ? {} : { osl: flags.osl }),
    ...(flags.concurrency === undefined ? {} : { concurrency: flags.concurrency }),
    ...(flags.requestRate === undefined ? {} : { requestRate: flags.requestRate }),
    ...(Object.keys(sla).length === 0 ? {} : { sla }),
  }
}
