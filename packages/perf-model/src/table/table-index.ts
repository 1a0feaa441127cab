import { type Backend, SpicaError } from '@spica/schema'

/** One parquet file of a database: `data/<sku>/<family>/<backend>/<version>/<table>.parquet`. */
export interface TableFile {
  readonly path: string
  readonly sku: string
  readonly family: string
  readonly backend: string
  readonly version: string
  readonly table: string
}

/** A declaration that one version borrows a table from another. */
export interface ReuseEntry {
  readonly sku: string
  readonly backend: string
  readonly version: string
  readonly table: string
  readonly fromVersion: string
}

/** Which backends share a named kernel of a table. */
export interface SharedKernel {
  readonly table: string
  readonly kernelSource: string
  readonly backends: readonly string[]
}

/** Everything a database's folder says without opening a table. */
export interface TableIndex {
  readonly files: readonly TableFile[]
  readonly reuse: readonly ReuseEntry[]
  readonly sharedKernels: readonly SharedKernel[]
}

/** Splits a path under the database root; null when it is no table. */
export function parseTablePath(path: string): TableFile | null {
  const match = /^data\/([^/]+)\/([^/]+)\/([^/]+)\/([^/]+)\/([^/]+)\.parquet$/.exec(path)
  if (match === null) return null
  const [, sku, family, backend, version, table] = match as unknown as [string, string, string, string, string, string]
  return { path, sku, family, backend, version, table }
}

/** Orders versions: numbers by value, release candidates and posts in their place (1.3.0rc10 < 1.3.0rc15 < 1.3.0 < 1.3.0.post1). */
export function compareVersions(left: string, right: string): number {
  const a = versionParts(left)
  const b = versionParts(right)
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

function versionParts(version: string): readonly number[] {
  const match = /^(\d+(?:\.\d+)*)(?:[._-]?(a|b|rc|dev)(\d+))?(?:[._-]?post(\d+))?/.exec(version)
  if (match === null) return [-1]
  const numbers = match[1]!.split('.').map(Number)
  while (numbers.length < 4) numbers.push(0)
  const stage = match[2] === undefined ? 0 : { dev: -4, a: -3, b: -2, rc: -1 }[match[2]]!
  return [...numbers, stage, Number(match[3] ?? 0), Number(match[4] ?? 0)]
}

/** Versions of a backend that have anything measured or declared on a SKU, newest first. */
export function backendVersions(index: TableIndex, sku: string, backend: Backend): readonly string[] {
  const versions = new Set<string>()
  for (const file of index.files) if (file.sku === sku && file.backend === backend) versions.add(file.version)
  for (const entry of index.reuse) if (entry.sku === sku && entry.backend === backend) versions.add(entry.version)
  return [...versions].sort((a, b) => compareVersions(b, a))
}

/**
 * The version a request means: `latest` or undefined is the newest on that SKU, anything else is taken literally.
 *
 * @throws SpicaError `perf-table-missing` (exit 3) when the SKU, the backend or the version is not in the database.
 */
export function resolveVersion(index: TableIndex, sku: string, backend: Backend, requested?: string): string {
  const skus = [...new Set(index.files.map((file) => file.sku))].sort()
  if (!skus.includes(sku)) {
    throw missing(`the performance database has no measurements of ${sku}`, `it covers ${skus.join(', ')}`)
  }
  const versions = backendVersions(index, sku, backend)
  if (versions.length === 0) {
    throw missing(`the performance database has no ${backend} measurements on ${sku}`, 'use `--perf-model roofline`')
  }
  if (requested === undefined || requested === 'latest') return versions[0]!
  if (!versions.includes(requested)) {
    throw missing(
      `the performance database has no ${backend} ${requested} on ${sku}`,
      `its versions are ${versions.join(', ')}`,
    )
  }
  return requested
}

function missing(message: string, hint: string): SpicaError {
  return new SpicaError('environment', 'perf-table-missing', message, { hint })
}

/** One file to read rows from; `kernels` keeps only those kernel sources. */
export interface TableSource {
  readonly file: TableFile
  readonly kernels: readonly string[] | null
  /** True when the rows are another backend's. */
  readonly foreign: boolean
}

/**
 * Files that answer for a table, in order of preference: the version's own, those its reuse declarations name, older versions
 * of the same backend from new to old, then other backends' rows of kernels the manifest says are shared.
 */
export function tableSources(
  index: TableIndex,
  sku: string,
  backend: Backend,
  version: string,
  table: string,
): readonly TableSource[] {
  const files = index.files.filter((file) => file.sku === sku && file.table === table)
  const own = files.filter((file) => file.backend === backend)
  const sources: TableSource[] = []
  const add = (candidates: readonly TableFile[], kernels: readonly string[] | null, foreign: boolean): void => {
    for (const file of candidates) {
      if (!sources.some((source) => source.file.path === file.path)) sources.push({ file, kernels, foreign })
    }
  }
  add(
    own.filter((file) => file.version === version),
    null,
    false,
  )
  for (const entry of index.reuse) {
    const matches = entry.sku === sku && entry.backend === backend && entry.version === version && entry.table === table
    if (matches)
      add(
        own.filter((file) => file.version === entry.fromVersion),
        null,
        false,
      )
  }
  const older = own.filter((file) => compareVersions(file.version, version) < 0)
  add(
    older.sort((a, b) => compareVersions(b.version, a.version)),
    null,
    false,
  )
  const kernels = index.sharedKernels.filter((kernel) => kernel.table === table && kernel.backends.includes(backend))
  const donors = new Set(kernels.flatMap((kernel) => kernel.backends.filter((name) => name !== backend)))
  for (const donor of [...donors].sort()) {
    const names = kernels.filter((kernel) => kernel.backends.includes(donor)).map((kernel) => kernel.kernelSource)
    const theirs = files.filter((file) => file.backend === donor)
    add(
      theirs.sort((a, b) => compareVersions(b.version, a.version)),
      names,
      true,
    )
  }
  return sources
}
