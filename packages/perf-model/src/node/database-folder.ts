import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { SpicaError } from '@spica/schema'

/** Files of a database, wherever they are stored; paths are relative to the folder that holds `data/`. */
export interface DatabaseFiles {
  readonly description: string
  /** Every table and declaration under `data/`, and the manifest beside it. */
  readonly paths: readonly string[]
  read(path: string): Uint8Array
}

const MANIFESTS = ['op_kernel_source_manifest.yaml', 'perf_data_reuse_manifest.yaml']

/** Files of a database in a folder: the one with `data/`, or its parent (which holds it as `systems/`). */
export function folderFiles(path: string): DatabaseFiles {
  const root = [path, join(path, 'systems')]
    .map((folder) => resolve(folder))
    .find((folder) => isFolder(join(folder, 'data')))
  if (root === undefined) {
    throw new SpicaError('environment', 'perf-db-not-found', `${path} holds no data/ folder with measured tables`, {
      hint: 'give the folder that holds data/, its parent, or an aiconfigurator-core wheel',
      location: { file: path },
    })
  }
  const paths: string[] = []
  walk(root, 'data', 0, paths)
  for (const name of MANIFESTS) if (existsSync(join(root, name))) paths.push(name)
  return { description: root, paths, read: (name) => readFileSync(join(root, name)) }
}

/** Tables lie five levels down; deeper folders are not entered. */
function walk(root: string, folder: string, depth: number, paths: string[]): void {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`
    const isDirectory = entry.isDirectory() || (entry.isSymbolicLink() && isFolder(join(root, path)))
    if (isDirectory) {
      if (depth < 4) walk(root, path, depth + 1, paths)
    } else if (/\.parquet$|\/reuse\.yaml$/.test(path)) paths.push(path)
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
