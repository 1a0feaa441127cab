import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadConfigValue, type SpicaConfig, SpicaConfigError, SpicaError } from '@spica/schema'
import { z } from 'zod'
import { writeFileAtomic } from '../io/atomic-write.js'
import { STUDY_FILES } from '../io/output-folder.js'

/** What a study is: resuming needs all of it to be the same. */
export interface StudyIdentity {
  readonly version: string
  readonly config: SpicaConfig
  readonly compat: readonly string[]
  /** Hash of model, GPU, workload, trace and performance data. */
  readonly context_hash: string
}

/** `study.json`. Facts of the machine and the clock stay here, out of `candidates.json`. */
export interface StudyFile extends StudyIdentity {
  readonly format: 1
  readonly seed: number
  /** Folder that the config's relative paths start from. */
  readonly config_folder: string
  /** Flags that replaced config values, so that a resumed sweep need not repeat them. */
  readonly overrides: Readonly<Record<string, string | number>>
  readonly state: 'running' | 'finished' | 'interrupted' | 'time-limit'
  /** True when a time or memory limit ended a trial: another run may then differ. */
  readonly limits_fired: boolean
  readonly [key: string]: unknown
}

const headSchema = z.looseObject({
  format: z.literal(1),
  version: z.string(),
  config: z.unknown(),
  compat: z.array(z.string()),
  context_hash: z.string(),
  seed: z.number(),
  config_folder: z.string(),
  overrides: z.record(z.string(), z.union([z.string(), z.number()])),
  state: z.enum(['running', 'finished', 'interrupted', 'time-limit']),
  limits_fired: z.boolean(),
})

/** The study of a folder; null when it has none. A file that is no study is an `input` error. */
export function readStudyFile(folder: string): StudyFile | null {
  const path = join(folder, STUDY_FILES.study)
  if (!existsSync(path)) return null
  const broken = (cause?: unknown) =>
    new SpicaError('input', 'broken-study', `${path} is not a study of this program`, {
      hint: 'start the sweep again in another folder',
      location: { file: path },
      cause,
    })
  let head: z.infer<typeof headSchema>
  try {
    head = headSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch (error) {
    throw broken(error)
  }
  const config = loadConfigValue(head.config)
  if (!config.ok) throw broken(new SpicaConfigError(config.issues))
  return { ...head, config: config.config } as StudyFile
}

export function writeStudyFile(folder: string, study: StudyFile): void {
  writeFileAtomic(join(folder, STUDY_FILES.study), JSON.stringify(study, null, 2) + '\n')
}

/** Differences between two studies, one `path: old -> new` each; empty when they are the same. */
export function identityDiff(before: StudyIdentity, now: StudyIdentity): readonly string[] {
  const lines: string[] = []
  compare('version', before.version, now.version, lines)
  compare('config', before.config, now.config, lines)
  compare('compat', [...before.compat].sort(), [...now.compat].sort(), lines)
  if (lines.length === 0 && before.context_hash !== now.context_hash)
    lines.push('the trace, the model, the GPU figures or the performance data have another content')
  return lines
}

function compare(path: string, before: unknown, now: unknown, lines: string[]): void {
  if (isRecord(before) && isRecord(now)) {
    for (const key of [...new Set([...Object.keys(before), ...Object.keys(now)])])
      compare(path === 'config' ? key : `${path}.${key}`, before[key], now[key], lines)
  } else if (JSON.stringify(before) !== JSON.stringify(now)) {
    lines.push(`${path}: ${JSON.stringify(before)} -> ${JSON.stringify(now)}`)
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}
