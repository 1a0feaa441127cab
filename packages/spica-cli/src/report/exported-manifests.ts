import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Manifest } from './report-data.js'

/** Largest exported file shown, bytes. */
const MOST_BYTES = 40_000
/** Files worth copying; the older API version of a manifest stays on disk. */
const SHOWN = /\.(ya?ml|sh)$/
const LEFT_OUT = /v1alpha1/

/** Exported files by candidate number, manifests before command lines: those in `candidate-N/`, and single files named `candidate-N…`. */
export function readManifests(folder: string): Map<number, Manifest[]> {
  const found = new Map<number, Manifest[]>()
  for (const name of namesIn(folder)) {
    const match = /^candidate-0*(\d+)(?=$|[^\d])/.exec(name)
    if (match === null) continue
    const path = join(folder, name)
    const files = isFolder(path)
      ? namesIn(path).map((inner) => ({ name: `${name}/${inner}`, path: join(path, inner) }))
      : [{ name, path }]
    const manifests = files
      .filter((file) => isShown(file.name, file.path))
      .sort((a, b) => Number(a.name.endsWith('.sh')) - Number(b.name.endsWith('.sh')))
      .map((file) => ({ name: file.name, text: readFileSync(file.path, 'utf8') }))
    const number = Number(match[1])
    found.set(number, [...(found.get(number) ?? []), ...manifests])
  }
  return found
}

function isShown(name: string, path: string): boolean {
  const stat = lstatSync(path)
  return SHOWN.test(name) && !LEFT_OUT.test(name) && stat.isFile() && stat.size <= MOST_BYTES
}

function namesIn(folder: string): string[] {
  return isFolder(folder) ? readdirSync(folder).sort() : []
}

/** Links are not followed: what is shown must come from the study's own folder. */
function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
