import { resolve } from 'node:path'
import { type Compat, type PerfModelName, type SpicaConfig, SpicaError } from '@spica/schema'
import { loadConfigFile } from '../inputs/load-config-file.js'
import { readStudyFile } from '../study/study-file.js'

/** Flags that replace values of the config. */
export interface ConfigFlags {
  readonly seed?: number
  readonly perfModel?: PerfModelName
  readonly perfDb?: string
  readonly perfPoints?: string
  readonly compat?: readonly Compat[]
}

/** A config with its flags applied. */
export interface ResolvedSweepConfig {
  readonly config: SpicaConfig
  readonly folder: string
  readonly compat: readonly Compat[]
  readonly overrides: Readonly<Record<string, string | number>>
  readonly warnings: readonly string[]
}

/**
 * The config of a sweep: of the file, or, when a study is resumed without one, of its folder. A resumed study keeps the
 * flags it was begun with where they are not given again.
 */
export function resolveSweepConfig(
  configPath: string | undefined,
  resumeFolder: string | undefined,
  flags: ConfigFlags,
): ResolvedSweepConfig {
  const study = resumeFolder === undefined ? null : readStudyFile(resumeFolder)
  if (configPath === undefined) {
    if (study !== null) {
      const { config, overrides } = applyFlags(study.config, flags)
      return {
        config,
        folder: study.config_folder,
        compat: flags.compat ?? (study.compat as Compat[]),
        overrides: { ...study.overrides, ...overrides },
        warnings: [],
      }
    }
    throw new SpicaError(
      'input',
      'config-not-given',
      resumeFolder === undefined ? '--config FILE is missing' : `${resumeFolder} holds no study to go on with`,
      {
        hint: 'give --config FILE; `spica init` writes one to start from',
      },
    )
  }
  const loaded = loadConfigFile(configPath)
  const kept = study === null ? {} : flagsOf(study.overrides)
  const { config, overrides } = applyFlags(loaded.config, { ...kept, ...flags })
  return {
    config,
    folder: loaded.folder,
    compat: flags.compat ?? ((study?.compat ?? []) as Compat[]),
    overrides,
    warnings: loaded.warnings.map(
      ({ location, message }) => `${location.line ?? ''}: ${location.path ?? ''}: ${message}`,
    ),
  }
}

function flagsOf(overrides: Readonly<Record<string, string | number>>): ConfigFlags {
  const known: Record<string, string | number> = {}
  for (const [flag, value] of Object.entries(overrides)) known[flag] = value
  return known as ConfigFlags
}

/** A copy of the config with the flags in it; paths of flags start from the current folder. */
export function applyFlags(
  config: SpicaConfig,
  flags: ConfigFlags,
): { config: SpicaConfig; overrides: Record<string, string | number> } {
  const { seed, perfModel, perfDb, perfPoints } = flags
  const overrides: Record<string, string | number> = {}
  if (seed !== undefined) overrides['seed'] = seed
  if (perfModel !== undefined) overrides['perfModel'] = perfModel
  if (perfDb !== undefined) overrides['perfDb'] = resolve(perfDb)
  if (perfPoints !== undefined) overrides['perfPoints'] = resolve(perfPoints)
  const perf = {
    model: perfModel ?? (perfDb !== undefined ? 'table' : config.perf.model),
    database: perfDb === undefined ? config.perf.database : resolve(perfDb),
    points: perfPoints === undefined ? config.perf.points : resolve(perfPoints),
  } as const
  return {
    config: { ...config, perf, sweep: { ...config.sweep, random_seed: seed ?? config.sweep.random_seed } },
    overrides,
  }
}
