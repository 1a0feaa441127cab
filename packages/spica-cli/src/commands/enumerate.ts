import { estimateKv } from '@spica/kv-estimate'
import type { Enumeration } from '@spica/parallel-enum'
import { shapeName } from '@spica/parallel-enum'
import type { Backend, Compat, PerfModelName, ReplicatedShape, Role, SpicaConfig, WorkerShape } from '@spica/schema'
import { Option } from 'commander'
import { textTable } from '../output/text-table.js'
import { listedSettings } from '../study/shape-rules.js'
import { enumerateStudy, openEnumerationInputs, type StudyInputs } from '../study/study-inputs.js'
import { type CommandRegistration, printJson } from './command.js'
import { compatList } from './flags.js'
import { resolveSweepConfig } from './sweep-config.js'

interface EnumerateFlags {
  config: string
  compat?: Compat[]
  perfModel?: PerfModelName
  perfDb?: string
  json?: true
}

export const registerEnumerate: CommandRegistration = (program, environment) => {
  program
    .command('enumerate')
    .description('list branches, shapes, replicas and KV tokens of a config')
    .requiredOption('--config <file>', 'sweep config, YAML')
    .addOption(new Option('--perf-model <name>', 'pass times').choices(['roofline', 'table', 'polynomial']))
    .option('--perf-db <path>', 'folder or wheel of measured tables; implies --perf-model table')
    .option('--compat <list>', 'restore upstream quirks: dynamo-1.4, aic-0.11', compatList)
    .option('--json', 'print everything as JSON')
    .action((flags: EnumerateFlags) => {
      const { config, folder, compat } = resolveSweepConfig(flags.config, undefined, flags)
      const inputs = openEnumerationInputs(config, folder)
      const enumeration = enumerateStudy(config, inputs, compat)
      const tokens = kvTokens(config, inputs, enumeration, compat)
      if (flags.json === true) printJson(environment, enumerationJson(enumeration, tokens))
      else environment.stdout.write(enumerationText(enumeration, tokens))
    })
}

/** KV tokens of one rank of a shape on a backend; null where the cache does not fit. */
interface ShapeTokens extends WorkerShape {
  readonly role: Role
  readonly backend: Backend
  readonly tokens: number | null
}

/** For every shape of each branch: the roomiest of the listed batching settings. */
function kvTokens(
  config: SpicaConfig,
  inputs: Pick<StudyInputs, 'model' | 'hardware'>,
  enumeration: Enumeration,
  compat: readonly Compat[],
): ShapeTokens[][] {
  const { search_space: space } = config
  return enumeration.branches.map((branch) => {
    const roles: readonly Role[] = branch.deploymentMode === 'agg' ? ['agg'] : ['prefill', 'decode']
    const shapes = new Map<string, WorkerShape>()
    for (const { tp, attentionDp, moeTp, moeEp } of branch.pool.columns.units)
      shapes.set([tp, attentionDp, moeTp, moeEp].join(), { tp, attentionDp, moeTp, moeEp })
    return [...shapes.values()].flatMap((shape) =>
      branch.backends.flatMap((backend) =>
        roles.map((role) => {
          const tokens = listedSettings(space, role).map(
            (settings) =>
              estimateKv({
                ...inputs,
                backend,
                shape,
                settings,
                nextn: space.aic_nextn ?? 0,
                ...(space.context_length === null ? {} : { maxSequenceTokens: space.context_length }),
                ...(compat.includes('aic-0.11') ? { compat: 'aic-0.11' as const } : {}),
              }).totalKvSizeTokens ?? -1,
          )
          const most = Math.max(...tokens)
          return { ...shape, role, backend, tokens: most < 0 ? null : most }
        }),
      ),
    )
  })
}

function enumerationJson(enumeration: Enumeration, tokens: readonly ShapeTokens[][]): unknown {
  return {
    branches: enumeration.branches.map(({ deploymentMode, backends, pool }, index) => ({
      deployment_mode: deploymentMode,
      backends,
      kv_tokens: (tokens[index] as ShapeTokens[]).map(({ role, backend, tokens: count, ...shape }) => ({
        ...shapeJson(shape),
        role,
        backend,
        tokens: count,
      })),
      configs: Array.from({ length: pool.size }, (_, row) => {
        const config = pool.at(row)
        const supported = pool.backendsAt(row)
        return config.mode === 'agg'
          ? { ...replicatedJson(config.agg), backends: supported }
          : { prefill: replicatedJson(config.prefill), decode: replicatedJson(config.decode), backends: supported }
      }),
    })),
    skipped: enumeration.skipped.map(({ deploymentMode, backend, code, message }) => ({
      deployment_mode: deploymentMode,
      backend,
      code,
      message,
    })),
  }
}

function shapeJson({ tp, attentionDp, moeTp, moeEp }: WorkerShape) {
  return { tp, attention_dp: attentionDp, moe_tp: moeTp, moe_ep: moeEp }
}

function replicatedJson(shape: ReplicatedShape) {
  return { ...shapeJson(shape), replicas: shape.replicas }
}

function enumerationText(enumeration: Enumeration, tokens: readonly ShapeTokens[][]): string {
  const parts = enumeration.branches.map(({ deploymentMode, backends, pool }, index) => {
    const rows = (tokens[index] as ShapeTokens[]).map((row) => [shapeName(row), row.role, row.backend, row.tokens])
    return [
      `${deploymentMode}: ${pool.size} configurations on ${backends.join(', ')}`,
      textTable(['shape', 'role', 'backend', 'KV tokens per GPU'], rows),
    ].join('\n')
  })
  const skipped = enumeration.skipped.map(
    ({ deploymentMode, backend, message }) =>
      `skipped ${deploymentMode}${backend === null ? '' : `, ${backend}`}: ${message}`,
  )
  return [...parts, ...skipped].join('\n\n') + '\n'
}
