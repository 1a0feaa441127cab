import { SpicaError } from '@spica/schema'
import { parse } from 'yaml'
import {
  parseTablePath,
  type ReuseEntry,
  type SharedKernel,
  type TableFile,
  type TableIndex,
} from '../table/table-index.js'
import type { DatabaseFiles } from './database-folder.js'

/** Reads a database's folder structure, reuse declarations and kernel manifest; no table is opened. */
export function readTableIndex(database: DatabaseFiles): TableIndex {
  const files: TableFile[] = []
  const reuse: ReuseEntry[] = []
  const sharedKernels: SharedKernel[] = []
  for (const path of [...database.paths].sort()) {
    const table = parseTablePath(path)
    if (table !== null) files.push(table)
    else if (path.endsWith('/reuse.yaml')) reuse.push(...reuseEntries(path, readYaml(database, path)))
    else if (/manifest\.yaml$/.test(path))
      sharedKernels.push(...manifestKernels(readYaml(database, path, sharedGroups)))
  }
  if (files.length === 0) {
    throw new SpicaError('environment', 'perf-db-not-found', `${database.description} holds no measured tables`, {
      hint: 'tables are data/<sku>/<family>/<backend>/<version>/<table>.parquet',
    })
  }
  return { files, reuse, sharedKernels }
}

/**
 * Leaves out the manifest's groups that name a single framework in an inline list: nothing is shared there, and parsing
 * them takes most of the time of opening a database.
 */
function sharedGroups(text: string): string {
  const blocks = text.split(/\n(?= *- op_file:)/)
  return blocks.filter((block, index) => index === 0 || !/^ *frameworks: *\[[^,\]]*\]/m.test(block)).join('\n')
}

function readYaml(database: DatabaseFiles, path: string, select: (text: string) => string = (text) => text): unknown {
  try {
    return parse(select(new TextDecoder().decode(database.read(path))), { maxAliasCount: 100 })
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split('\n')[0]! : String(cause)
    throw new SpicaError(
      'environment',
      'perf-db-unreadable',
      `${database.description}/${path} is not YAML: ${reason}`,
      {
        location: { file: path },
        cause,
      },
    )
  }
}

function reuseEntries(path: string, document: unknown): readonly ReuseEntry[] {
  const [, sku, , backend, version] = path.split('/')
  const list = field(document, 'reuse')
  if (!Array.isArray(list)) return []
  return list.flatMap((entry) => {
    const table = field(entry, 'table')
    const fromVersion = field(entry, 'from_version')
    if (typeof table !== 'string' || fromVersion === undefined) return []
    return [{ sku: sku!, backend: backend!, version: version!, table, fromVersion: String(fromVersion) }]
  })
}

function manifestKernels(document: unknown): readonly SharedKernel[] {
  const groups = field(document, 'groups')
  if (!Array.isArray(groups)) return []
  return groups.flatMap((group) => {
    const table = field(group, 'op_file')
    const kernelSource = field(group, 'kernel_source')
    const backends = field(group, 'frameworks')
    if (typeof table !== 'string' || typeof kernelSource !== 'string' || !Array.isArray(backends)) return []
    return [{ table: table.replace(/\.(parquet|txt)$/, ''), kernelSource, backends: backends.map(String) }]
  })
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}
