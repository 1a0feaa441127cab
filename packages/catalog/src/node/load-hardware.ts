import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { type HardwareSpec, SpicaError } from '@spica/schema'
import { findHardware, isKnownHardware } from '../hardware/find-hardware.js'
import { parseHardwareYaml } from '../hardware/parse-hardware-yaml.js'
import type { LoadOptions } from './load-model.js'
import { readTextFile } from './read-text-file.js'

const MAX_HARDWARE_BYTES = 2 ** 20

/** A GPU type by SKU, or by the path of a YAML file with the figures of the user's own GPU. */
export function loadHardware(skuOrPath: string, options: LoadOptions = {}): HardwareSpec {
  const plainlyPath = /[/\\]/.test(skuOrPath) || /\.ya?ml$/i.test(skuOrPath)
  if (!plainlyPath && isKnownHardware(skuOrPath)) return findHardware(skuOrPath)
  const path = resolve(options.baseDir ?? '.', skuOrPath)
  if (!plainlyPath && !existsSync(path)) return findHardware(skuOrPath)
  if (!existsSync(path)) {
    throw new SpicaError('input', 'unknown-hardware', `the GPU file ${path} does not exist`, {
      location: { file: path },
      hint: 'give the path of a YAML file with the figures of your GPU, or a known SKU',
    })
  }
  return parseHardwareYaml(readTextFile(path, MAX_HARDWARE_BYTES), skuOrPath)
}
