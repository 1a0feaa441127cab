import { SpicaError } from '@spica/schema'
import type { DatabaseFiles } from './database-folder.js'
import { type ArchiveEntry, readArchiveDirectory, readArchiveEntry } from './zip-archive.js'

/**
 * Files of a database inside a Python wheel (a zip archive): only the directory and the entries that are asked for are read.
 *
 * @throws SpicaError `perf-db-unreadable` when the file is no zip archive or holds no tables.
 */
export function wheelFiles(path: string): DatabaseFiles {
  const entries = readArchiveDirectory(path, (reason) => unreadable(path, reason))
  const prefix = systemsPrefix(entries)
  if (prefix === null) throw unreadable(path, 'it is an archive without systems/data/*.parquet')
  const byPath = new Map<string, ArchiveEntry>()
  for (const entry of entries) {
    const name = entry.name.startsWith(prefix) ? entry.name.slice(prefix.length) : null
    if (name !== null && /\.parquet$|\.yaml$/.test(name)) byPath.set(name, entry)
  }
  return {
    description: path,
    paths: [...byPath.keys()],
    read(name) {
      const entry = byPath.get(name)
      if (entry === undefined) throw unreadable(path, `it has no ${name}`)
      return readArchiveEntry(path, entry, (reason) => unreadable(path, reason))
    },
  }
}

function systemsPrefix(entries: readonly ArchiveEntry[]): string | null {
  for (const { name } of entries) {
    const match = /^(.*?)data\/[^/]+\/[^/]+\/[^/]+\/[^/]+\/[^/]+\.parquet$/.exec(name)
    if (match !== null) return match[1]!
  }
  return null
}

function unreadable(path: string, reason: string): SpicaError {
  return new SpicaError(
    'environment',
    'perf-db-unreadable',
    `${path} cannot be used as a performance database: ${reason}`,
    {
      hint: 'give the folder that holds data/, its parent, or an aiconfigurator-core wheel',
      location: { file: path },
    },
  )
}
