import { statSync } from 'node:fs'
import { join } from 'node:path'
import { SpicaError } from '@spica/schema'
import { PerfDatabase } from '../table/perf-database.js'
import type { PerfRows } from '../table/perf-rows.js'
import { readCachedTable, writeCachedTable } from './column-cache.js'
import { folderFiles } from './database-folder.js'
import { readParquetTable } from './parquet-table.js'
import { readTableIndex } from './perf-database-index.js'
import { wheelFiles } from './wheel-archive.js'

export interface OpenPerfDatabaseOptions {
  /** Folder for decoded tables, named by the content of their files. Nothing is cached on disk without it. */
  readonly cacheFolder?: string
}

/**
 * Opens a database of measured tables: the folder that holds `data/`, its parent, or an `aiconfigurator-core` wheel. Only its
 * index is read; tables follow when a model needs them.
 *
 * @throws SpicaError `perf-db-not-found` or `perf-db-unreadable` (exit 3).
 */
export function openPerfDatabase(path: string, options: OpenPerfDatabaseOptions = {}): PerfDatabase {
  const status = statSync(path, { throwIfNoEntry: false })
  if (status === undefined) {
    throw new SpicaError('environment', 'perf-db-not-found', `there is no performance database at ${path}`, {
      hint: 'give the folder that holds data/, its parent, or an aiconfigurator-core wheel',
      location: { file: path },
    })
  }
  const files = status.isDirectory() ? folderFiles(path) : wheelFiles(path)
  const index = readTableIndex(files)
  const { cacheFolder } = options
  const read = async (name: string): Promise<PerfRows> => {
    const bytes = files.read(name)
    if (cacheFolder === undefined) return readParquetTable(join(files.description, name), bytes)
    const cached = readCachedTable(cacheFolder, bytes)
    if (cached !== null) return cached
    const rows = await readParquetTable(join(files.description, name), bytes)
    writeCachedTable(cacheFolder, bytes, rows)
    return rows
  }
  return new PerfDatabase(files.description, index, read)
}
