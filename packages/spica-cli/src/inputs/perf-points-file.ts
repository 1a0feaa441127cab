import { type PerfPoint, parsePerfPoints } from '@spica/perf-model'
import { readInputText } from '../io/read-input.js'

const MAX_BYTES = 4 * 1024 * 1024

/** Reads a file of the user's own measured pass times. Mistakes are `input` errors, all at once, by line. */
export function readPerfPoints(path: string): readonly PerfPoint[] {
  return parsePerfPoints(readInputText(path, MAX_BYTES), path)
}
