import { explainShape, shapeName } from '@spica/parallel-enum'
import {
  type Backend,
  type Compat,
  gpusPerWorker,
  isMoe,
  type PerfModelName,
  type Role,
  SEARCH_MENUS,
  type SpicaConfig,
  SpicaError,
  type WorkerShape,
} from '@spica/schema'
import { Option } from 'commander'
import { EXIT } from '../exit-codes.js'
import { backendGap } from '../inputs/perf-inputs.js'
import { changeJson, standingJson } from '../output/explain-json.js'
import { type ExplainedCheck, standingText, verdictsText } from '../output/explain-text.js'
import { readStudy } from '../report/read-study.js'
import { rolesOfMode } from '../study/deployment-fit.js'
import { type RemedyInputs, remediesFor } from '../study/remedies.js'
import { shapeRules } from '../study/shape-rules.js'
import { type ShapeFilter, type ShapeStanding, shapeStanding } from '../study/shape-standing.js'
import { changesText, rooflineChange, type SingleChange, shapeChangesText } from '../study/single-change.js'
import { openEnumerationInputs } from '../study/study-inputs.js'
import { tableCoverage } from '../study/table-coverage.js'
import { type CommandEnvironment, type CommandRegistration, printJson } from './command.js'
import { compatList } from './flags.js'
import { resolveSweepConfig } from './sweep-config.js'

interface ExplainFlags {
  config?: string
  study?: string
  shape: string
  backend?: Backend
  role?: Role
  perfModel?: PerfModelName
  perfDb?: string
  compat?: Compat[]
  json?: true
}

export const registerExplain: CommandRegistration = (program, environment) => {
  program
    .command('explain')
    .description('say why a shape is legal or not: each rule with its numbers; with a study, what beats it')
    .option('--config <file>', 'sweep config, YAML; may be left out with --study')
    .requiredOption('--shape <list>', 'for example "tp=8,moe_ep=8"; what is left out is 1')
    .option('--study <folder>', "a sweep's folder: how the shape did there, and what outranks or dominates it")
    .addOption(new Option('--backend <name>', 'this backend alone, listed or not').choices(SEARCH_MENUS.backend))
    .addOption(new Option('--role <name>', 'this role alone').choices(['agg', 'prefill', 'decode']))
    .addOption(new Option('--perf-model <name>', 'pass times').choices(['roofline', 'table', 'polynomial']))
    .option('--perf-db <path>', 'folder or wheel of measured tables; implies --perf-model table')
    .option('--compat <list>', 'restore upstream quirks: dynamo-1.4, aic-0.11', compatList)
    .option('--json', 'print the verdicts as JSON')
    .action((flags: ExplainFlags) => explain(flags, environment))
}

async function explain(flags: ExplainFlags, environment: CommandEnvironment): Promise<void> {
  const shape = parseShape(flags.shape)
  const { config, folder, compat } = resolveSweepConfig(flags.config, flags.study, flags)
  const standingOf = flags.study === undefined ? null : openStanding(flags.study, config)
  const inputs = openEnumerationInputs(config, folder)
  const { search_space: space } = config
  const modes = flags.role === undefined ? space.deployment_mode : []
  const filter: ShapeFilter = {
    shape,
    backends: flags.backend === undefined ? [...new Set(space.backend)] : [flags.backend],
    roles: flags.role === undefined ? [...new Set(modes.flatMap(rolesOfMode))] : [flags.role],
  }
  const checks = await withCoverage(checkAll(filter, config, inputs, compat), shape, config, inputs, compat)
  const legal = checks.some(({ ok }) => ok)
  const remedies = legal ? NONE : remediesOf(filter, checks, config, inputs, compat)
  const standing = standingOf?.(filter) ?? null
  if (flags.json === true) {
    printJson(environment, {
      shape: flags.shape,
      legal,
      checks,
      single_changes: remedies.shape.map(changeJson),
      single_changes_for_anything: remedies.anything.map(changeJson),
      ...(standing === null ? {} : { study: { folder: flags.study, ...standingJson(standing) } }),
    })
  } else {
    const title = `${shapeName(shape)} of ${space.model_name} on ${space.hardware_sku}: ${legal ? 'legal' : 'not legal'}`
    const parts = [title, verdictsText(checks)]
    if (!legal) parts.push(remediesText(remedies))
    if (standing !== null) parts.push(standingText(shape, flags.study as string, standing))
    environment.stdout.write(parts.join('\n\n') + '\n')
  }
  environment.setExitCode(legal ? EXIT.success : EXIT.empty)
}

function checkAll(
  { shape, backends, roles }: ShapeFilter,
  config: SpicaConfig,
  inputs: RemedyInputs,
  compat: readonly Compat[],
): ExplainedCheck[] {
  const { search_space: space } = config
  const rules = shapeRules(space, inputs.model, inputs.hardware, compat)
  const structure = {
    isMoe: isMoe(inputs.model),
    gpuBudget: space.gpu_budget,
    moeBackend: null,
    allowMoePureTp: true,
    singleGpuMoe: !compat.includes('aic-0.11'),
  }
  return backends.flatMap((backend) => {
    const gap = backendGap(inputs.perf, inputs.hardware, backend, compat)
    return roles.map((role) => {
      const { ok, verdicts } = explainShape(shape, backend, role, structure, rules)
      return { backend, role, ok: ok && gap === null, verdicts, gap }
    })
  })
}

/** Shapes that the rules allow, asked of the measured tables too where pass times come from them. */
async function withCoverage(
  checks: readonly ExplainedCheck[],
  shape: WorkerShape,
  config: SpicaConfig,
  { model, hardware, perf: { database } }: RemedyInputs,
  compat: readonly Compat[],
): Promise<ExplainedCheck[]> {
  if (database === null) return [...checks]
  const subject = { database, model, hardware, compat, isl: config.workload.isl ?? TRIED_PROMPT }
  const covered: ExplainedCheck[] = []
  for (const check of checks) {
    if (!check.ok) covered.push(check)
    else {
      const verdict = await tableCoverage(subject, check.backend, check.role, shape)
      const verdicts = [...check.verdicts, { rule: TABLE_RULE, verdict }]
      covered.push({ ...check, ok: verdict.ok, verdicts })
    }
  }
  return covered
}

const TABLE_RULE = 'measured-tables'
/** Tokens of the prompt that tables are asked about when the load is a trace. */
const TRIED_PROMPT = 1024

/** What makes the shape legal; and, where no deployment at all fits, what makes any fit. */
interface Remedies {
  readonly shape: readonly SingleChange[]
  readonly anything: readonly SingleChange[]
}

const NONE: Remedies = { shape: [], anything: [] }

function remediesOf(
  filter: ShapeFilter,
  checks: readonly ExplainedCheck[],
  config: SpicaConfig,
  inputs: RemedyInputs,
  compat: readonly Compat[],
): Remedies {
  const shape = remediesFor(config, inputs, compat, filter)
  return {
    shape: shape.length > 0 ? shape : untimedOnly(filter, checks),
    anything: remediesFor(config, inputs, compat),
  }
}

/** Where nothing but a measurement is missing, the roofline stands in for it. */
function untimedOnly({ shape }: ShapeFilter, checks: readonly ExplainedCheck[]): SingleChange[] {
  const untimed = checks.find(({ gap, verdicts }) => gap === null && verdicts.some(({ rule }) => rule === TABLE_RULE))
  if (untimed === undefined) return []
  const { backend, role } = untimed
  return [rooflineChange({ backend, workers: [{ role, shape }], gpus: gpusPerWorker(shape) })]
}

function remediesText({ shape, anything }: Remedies): string {
  const lines = [shape.length > 0 ? shapeChangesText(shape) : 'no single change of the settings makes this shape legal']
  if (anything.length > 0) lines.push('', `nothing is feasible with this config; ${changesText(anything)}`)
  return lines.join('\n')
}

/** Looks a shape up in a study, which has to be of the same model and GPU. */
function openStanding(folder: string, config: SpicaConfig): (filter: ShapeFilter) => ShapeStanding {
  const { study, trials } = readStudy(folder)
  for (const key of ['model_name', 'hardware_sku'] as const) {
    const [there, here] = [study.config.search_space[key], config.search_space[key]]
    if (there !== here)
      throw new SpicaError(
        'input',
        'study-of-another-config',
        `the study in ${folder} has ${key} ${there}, the config ${here}`,
        {
          hint: "leave out --config to use the study's own",
        },
      )
  }
  return (filter) => shapeStanding(trials, study.config.goal, filter)
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
