import { type Backend, type HardwareSpec, SpicaError } from '@spica/schema'
import type { PerfRows } from './perf-rows.js'
import { backendVersions, resolveVersion, type TableIndex, type TableSource, tableSources } from './table-index.js'

/** Reads the given columns of one table file of a database. */
export type TableReader = (path: string) => Promise<PerfRows>

/** The whole state of a database that another thread needs: plain data over shared memory. */
export interface SharedPerfDatabase {
  readonly description: string
  readonly index: TableIndex
  readonly tables: Readonly<Record<string, PerfRows>>
}

/** Rows of one table as a subject sees it, in order of preference. */
export interface TableRows {
  readonly rows: PerfRows
  readonly source: TableSource
}

/**
 * A database of measured operator times. Tables are read on first need and kept as typed arrays; `toShared` hands the loaded
 * ones to worker threads without a copy.
 */
export class PerfDatabase {
  readonly description: string
  readonly index: TableIndex
  readonly #reader: TableReader | null
  readonly #tables: Map<string, PerfRows>
  readonly #derived: Map<string, unknown> = new Map()

  constructor(
    description: string,
    index: TableIndex,
    reader: TableReader | null,
    tables: Iterable<[string, PerfRows]> = [],
  ) {
    this.description = description
    this.index = index
    this.#reader = reader
    this.#tables = new Map(tables)
  }

  /** A database over tables that another thread loaded; it reads no files. */
  static fromShared(shared: SharedPerfDatabase): PerfDatabase {
    return new PerfDatabase(shared.description, shared.index, null, Object.entries(shared.tables))
  }

  /** The index and every table loaded so far, for structured cloning: the numbers are shared, not copied. */
  toShared(): SharedPerfDatabase {
    return { description: this.description, index: this.index, tables: Object.fromEntries(this.#tables) }
  }

  /** SKUs with measurements. */
  skus(): readonly string[] {
    return [...new Set(this.index.files.map((file) => file.sku))].sort()
  }

  /** Versions of a backend on a SKU, newest first; empty when there are none. */
  versions(sku: string, backend: Backend): readonly string[] {
    return backendVersions(this.index, sku, backend)
  }

  /** @see resolveVersion */
  resolveVersion(sku: string, backend: Backend, requested?: string): string {
    return resolveVersion(this.index, sku, backend, requested)
  }

  /** Files that answer for a table. NCCL tables depend on the SKU's NCCL version instead of the backend's. */
  sources(hardware: HardwareSpec, backend: Backend, version: string, table: string): readonly TableSource[] {
    if (table !== 'nccl_perf') return tableSources(this.index, hardware.sku, backend, version, table)
    const files = this.index.files.filter((file) => file.sku === hardware.sku && file.table === table)
    const exact = files.filter((file) => file.version === hardware.ncclVersion)
    return exact.map((file) => ({ file, kernels: null, foreign: false }))
  }

  /** Makes sure the sources of these tables are in memory. Tables without any source are left for the lookup to name. */
  async load(hardware: HardwareSpec, backend: Backend, version: string, tables: Iterable<string>): Promise<void> {
    const paths = new Set<string>()
    for (const table of tables) {
      for (const { file } of this.sources(hardware, backend, version, table)) {
        if (!this.#tables.has(file.path)) paths.add(file.path)
      }
    }
    for (const path of paths) {
      if (this.#reader === null) {
        throw new SpicaError(
          'internal',
          'perf-table-not-shared',
          `${path} was not loaded before the database was shared`,
        )
      }
      this.#tables.set(path, await this.#reader(path))
    }
  }

  /**
   * What `make` builds from loaded tables, kept under a key. There are as many keys as slices of the tables (formats, head
   * sizes), so the memory is bounded by the database.
   */
  derived<T>(key: string, make: () => T): T {
    if (this.#derived.has(key)) return this.#derived.get(key) as T
    const value = make()
    this.#derived.set(key, value)
    return value
  }

  /** Loaded rows of a table, best source first. */
  rows(hardware: HardwareSpec, backend: Backend, version: string, table: string): readonly TableRows[] {
    return this.sources(hardware, backend, version, table).flatMap((source) => {
      const rows = this.#tables.get(source.file.path)
      return rows === undefined ? [] : [{ rows, source }]
    })
  }
}
