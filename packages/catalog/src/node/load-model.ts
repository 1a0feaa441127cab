import { existsSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { type ModelSpec, SpicaError } from '@spica/schema'
import { parseModelConfig } from '../config/parse-model-config.js'
import { findModel, isKnownModel } from '../lookup/find-model.js'
import { readTextFile } from './read-text-file.js'

/** Largest config file read; real ones have a few kilobytes, quantisation maps a few megabytes. */
const MAX_CONFIG_BYTES = 64 * 2 ** 20

export interface LoadOptions {
  /** Folder that relative paths start from; default the current one. */
  readonly baseDir?: string
}

/**
 * A model by catalogue name, or by the path of a `config.json` or its folder, with the quantisation file beside it. The
 * catalogue comes first unless the text is plainly a path. The name of a model read from a file is the path as given.
 */
export function loadModel(nameOrPath: string, options: LoadOptions = {}): ModelSpec {
  const path = resolve(options.baseDir ?? '.', nameOrPath)
  const plainlyPath = /^[./~\\]/.test(nameOrPath) || /\.json$/i.test(nameOrPath)
  if (!plainlyPath && (isKnownModel(nameOrPath) || !existsSync(path))) return findModel(nameOrPath)
  const file = configFile(path)
  const config = readJson(file)
  return parseModelConfig(config, sideConfig(dirname(file)), { name: nameOrPath, file })
}

/** ModelOpt's file, or those that AutoGPTQ and AutoAWQ wrote before formats were kept in config.json. */
const SIDE_FILES: readonly (readonly [string, string | null])[] = [
  ['hf_quant_config.json', null],
  ['quantize_config.json', 'gptq'],
  ['quant_config.json', 'awq'],
]

/** The quantisation file of a folder, with the method that its name stands for. */
function sideConfig(folder: string): unknown {
  for (const [name, method] of SIDE_FILES) {
    const file = join(folder, name)
    if (!existsSync(file)) continue
    const content = readJson(file)
    return method === null ? content : { quant_method: method, ...(content as object) }
  }
  return undefined
}

function configFile(path: string): string {
  if (!existsSync(path)) {
    throw new SpicaError('input', 'unknown-model', `${path} does not exist`, {
      location: { file: path },
      hint: 'give the path of a config.json or of the folder that holds it, or the name of a known model',
    })
  }
  if (!statSync(path).isDirectory()) return path
  const inside = join(path, 'config.json')
  if (existsSync(inside)) return inside
  throw new SpicaError('input', 'unknown-model', `the folder ${path} has no config.json`, { location: { file: path } })
}

function readJson(file: string): unknown {
  const text = readTextFile(file, MAX_CONFIG_BYTES)
  try {
    return JSON.parse(text)
  } catch (error) {
    const reason = (error as Error).message
    throw new SpicaError('input', 'invalid-model-config', `${basename(file)} is not valid JSON: ${reason}`, {
      location: { file, ...jsonPosition(text, reason) },
    })
  }
}

/** Line and column of V8's `at position N`. */
function jsonPosition(text: string, reason: string): { line?: number; column?: number } {
  const match = /position (\d+)/.exec(reason)
  if (match === null) return {}
  const before = text.slice(0, Number(match[1]))
  const line = before.split('\n').length
  return { line, column: before.length - before.lastIndexOf('\n') }
}
