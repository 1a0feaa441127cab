import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'

/** Folder that holds golden/, traces/ and perf-db/ (`SPICA_SHARED`, default `../shared` beside the repository). */
export const sharedFolder: string = resolve(
  process.env['SPICA_SHARED'] ?? join(import.meta.dirname, '..', '..', 'shared'),
)
export const goldenFolder: string = join(sharedFolder, 'golden')

/** True when the golden data is present; conformance tests skip without it. */
export const hasGolden: boolean = existsSync(goldenFolder)

/** Text of a golden file, unpacked when its name ends in .gz. */
export function readGoldenText(path: string): string {
  const bytes = readFileSync(join(goldenFolder, path))
  return path.endsWith('.gz') ? gunzipSync(bytes).toString('utf8') : bytes.toString('utf8')
}

export function readGoldenJson<T = unknown>(path: string): T {
  return JSON.parse(readGoldenText(path)) as T
}
