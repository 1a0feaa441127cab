import { explainShape, shapeName } from '@spica/parallel-enum'
import type { Compat } from '@spica/schema'
import { isMoe, type Role, SpicaError, type WorkerShape } from '@spica/schema'
import { EXIT } from '../exit-codes.js'
import { backendGap } from '../inputs/perf-inputs.js'
import { significant } from '../output/text-table.js'
import { shapeRules } from '../study/shape-rules.js'
import { openEnumerationInputs } from '../study/study-inputs.js'
import { type CommandRegistration, printJson } from './command.js'
import { compatList } from './flags.js'
import { resolveSweepConfig } from './sweep-config.js'

interface ExplainFlags {
  config: string
  shape: string
  compat?: Compat[]
  json?: true
}

export const registerExplain: CommandRegistration = (program, environment) => {
  program
    .command('explain')
    .description('say why a shape is legal or not: each rule with its numbers')
    .requiredOption('--config <file>', 'sweep config, YAML')
    .requiredOption('--shape <list>', 'for example "tp=8,moe_ep=8"; what is left out is 1')
    .option('--compat <list>', 'restore upstream quirks: dynamo-1.4, aic-0.11', compatList)
    .option('--json', 'print the verdicts as JSON')
    .action((flags: ExplainFlags) => {
      const shape = parseShape(flags.shape)
      const { config, folder, compat } = resolveSweepConfig(flags.config, undefined, flags)
      const inputs = openEnumerationInputs(config, folder)
      const { search_space: space } = config
      const rules = shapeRules(space, inputs.model, inputs.hardware, compat)
      const structure = {
        isMoe: isMoe(inputs.model),
        gpuBudget: space.gpu_budget,
        moeBackend: null,
        allowMoePureTp: true,
        singleGpuMoe: !compat.includes('aic-0.11'),
      }
      const roles: readonly Role[] = space.deployment_mode.flatMap((mode): Role[] =>
        mode === 'agg' ? ['agg'] : ['prefill', 'decode'],
      )
      const checks = space.backend.flatMap((backend) =>
        roles.map((role) => ({
          ...explainShape(shape, backend, role, structure, rules),
          gap: backendGap(inputs.perf, inputs.hardware, backend, compat),
        })),
      )
      const legal = checks.some((check) => check.ok && check.gap === null)
      if (flags.json === true) {
        printJson(environment, {
          shape: flags.shape,
          legal,
          checks: checks.map(({ backend, role, ok, verdicts, gap }) => ({
            backend,
            role,
            ok: ok && gap === null,
            verdicts,
            gap,
          })),
        })
      } else {
        const lines = [
          `${shapeName(shape)} of ${space.model_name} on ${space.hardware_sku}: ${legal ? 'legal' : 'not legal'}`,
        ]
        const groups = new Map<string, string[]>()
        for (const { backend, role, ok, verdicts, gap } of checks) {
          const rules = verdicts.map(({ rule, verdict }) => {
            const text = verdict.ok ? 'holds' : verdict.message
            return `  ${verdict.ok ? 'yes ' : 'no  '} ${rule}: ${text}${numbersText(verdict.numbers)}`
          })
          if (gap !== null) rules.unshift(`  no   database: ${gap.message}`)
          const text = [ok && gap === null ? 'yes' : 'no', ...rules].join('\n')
          groups.set(text, [...(groups.get(text) ?? []), `${backend} ${role}`])
        }
        for (const [text, where] of groups) lines.push('', `${where.join(', ')}: ${text}`)
        environment.stdout.write(lines.join('\n') + '\n')
      }
      environment.setExitCode(legal ? EXIT.success : EXIT.empty)
    })
}

const KEYS: Readonly<Record<string, keyof WorkerShape>> = {
  tp: 'tp',
  attention_dp: 'attentionDp',
  moe_tp: 'moeTp',
  moe_ep: 'moeEp',
}

/** Reads `tp=8,moe_ep=8`. */
export function parseShape(text: string): WorkerShape {
  const shape = { tp: 1, attentionDp: 1, moeTp: 1, moeEp: 1 }
  for (const part of text.split(',')) {
    const [key = '', value = ''] = part.split('=').map((piece) => piece.trim())
    const field = Object.hasOwn(KEYS, key) ? KEYS[key] : undefined
    if (field === undefined || !/^[1-9]\d{0,5}$/.test(value))
      throw new SpicaError(
        'input',
        'invalid-shape',
        `--shape: "${part}" is not a size of ${Object.keys(KEYS).join(', ')}`,
        {
          hint: 'for example --shape "tp=4,moe_ep=4"',
        },
      )
    shape[field] = Number(value)
  }
  return shape
}

/** Numbers of a verdict; large byte counts in GiB. */
function numbersText(numbers: Readonly<Record<string, number>> | undefined): string {
  const entries = Object.entries(numbers ?? {})
  if (entries.length === 0) return ''
  const one = ([name, value]: [string, number]) =>
    /bytes/i.test(name) && value >= 2 ** 20
      ? `${name.replace(/bytes/i, '')} ${significant(value / 2 ** 30)} GiB`
      : `${name} ${significant(value, 8)}`
  return ` (${entries.map(one).join(', ')})`
}
