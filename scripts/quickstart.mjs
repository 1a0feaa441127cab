#!/usr/bin/env node
// `npm run quickstart`: install, build, and sweep the quickstart example. Prints the winner and the report's path last.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { installAndBuild, root, run } from './bootstrap.mjs'

installAndBuild({ quick: true })
const out = join(
  'spica-out',
  `quickstart-${new Date()
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '-')}`,
)
const spica = join('packages', 'spica-cli', 'dist', 'main.js')
const code = run(process.execPath, [spica, 'sweep', '--config', 'examples/quickstart/sweep.yaml', '--out', out])
if (code !== 0) process.exit(code)

const candidates = JSON.parse(readFileSync(join(root, out, 'candidates.json'), 'utf8'))
const { config, objectives, used_gpus: gpus } = candidates[0]
const values = Object.entries(objectives).map(([name, value]) => `${name} ${Number(value.toPrecision(5))}`)
const report = ['report.html', 'candidates.csv'].find((name) => existsSync(join(root, out, name))) ?? 'candidates.json'
process.stdout.write(`\nWinner: ${config.backend} ${describe(config)}, ${gpus} GPUs, ${values.join(', ')}\n`)
process.stdout.write(`Report: ${join(root, out, report)}\n`)

function describe(sample) {
  const pool = (prefix) =>
    `${sample[`${prefix}replicas`]} x (tp ${sample[`${prefix}tp`]}` +
    (sample[`${prefix}attention_dp`] > 1 ? `, dp ${sample[`${prefix}attention_dp`]}` : '') +
    (sample[`${prefix}moe_ep`] > 1 ? `, ep ${sample[`${prefix}moe_ep`]}` : '') +
    ')'
  return sample.deployment_mode === 'agg'
    ? `aggregated ${pool('')}`
    : `disaggregated, prefill ${pool('prefill_')}, decode ${pool('decode_')}`
}
