import { dirname, resolve } from 'node:path'
import { type ConfigIssue, parseConfigBytes, type SpicaConfig, SpicaConfigError } from '@spica/schema'
import { MAX_CONFIG_BYTES, readInputBytes } from '../io/read-input.js'

/** A config file that was read and found good. */
export interface LoadedConfig {
  readonly config: SpicaConfig
  /** Absolute folder of the file, from which its relative paths start. */
  readonly folder: string
  readonly warnings: readonly ConfigIssue[]
}

/** Reads and checks a sweep config. Throws one `SpicaConfigError` with every mistake, as `file:line:col path: message`. */
export function loadConfigFile(path: string): LoadedConfig {
  const result = parseConfigBytes(readInputBytes(path, MAX_CONFIG_BYTES), { file: path })
  if (!result.ok) throw new SpicaConfigError(result.issues)
  return { config: result.config, folder: dirname(resolve(path)), warnings: result.warnings }
}
