export type PerfModelName = 'roofline' | 'table' | 'polynomial'

/** Where pass times come from. Flags of the command line override these. */
export interface PerfConfig {
  /** null = not named: `table` when a database is given, else `roofline`; see `resolvePerfModel`. */
  readonly model: PerfModelName | null
  /** Folder of measured tables. */
  readonly database: string | null
  /** File of the user's own measured points. */
  readonly points: string | null
}

/** The timing model in effect: the named one, else `table` when a database is given, else `roofline`. */
export function resolvePerfModel(perf: Pick<PerfConfig, 'model' | 'database'>): PerfModelName {
  return perf.model ?? (perf.database === null ? 'roofline' : 'table')
}
