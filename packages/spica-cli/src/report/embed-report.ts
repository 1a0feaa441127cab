import type { CandidateDetail, FeasibleTrial, ReportData } from './report-data.js'

/** Room for the pages' details, bytes of JSON: as many deployments as fit, in their order. */
export const DETAIL_BUDGET_BYTES = 380_000
/** Significant digits of embedded figures. */
const DIGITS = 6

/** A column: one value for all, a short list of distinct values with an index into it per row, or plain values. */
export type PackedColumn =
  | { readonly all: unknown }
  | { readonly of: readonly unknown[]; readonly at: readonly number[] }
  | { readonly plain: readonly unknown[] }

/** What the page's script reads, without repeats of the same setting in every trial. */
export function embedReport(data: ReportData): Record<string, unknown> {
  const { feasible } = data
  const gathered = gatherDetails(data)
  return {
    title: data.title,
    kind: data.kind,
    objectives: data.objectives,
    measures: data.measures,
    trials: { count: data.trials.length, columns: packRecords(data.trials) },
    feasible: {
      trial: feasible.map(({ trial }) => trial),
      values: packRecords(feasible.map(({ objectives }) => rounded(objectives))),
      metrics: packRecords(feasible.map((trial) => measured(trial, data))),
      config: packRecords(feasible.map(({ config }) => config)),
    },
    candidates: data.candidates,
    details: gathered.details,
    /** Lines of all manifests; they share most of them. */
    lines: gathered.lines,
    detailNote: `Load over time is kept for the first ${gathered.count} deployments only, so that this file stays small.`,
    overlay: data.overlay,
  }
}

type EmbeddedDetail = Omit<CandidateDetail, 'manifest'> & {
  readonly manifest?: readonly { readonly name: string; readonly lines: readonly number[] }[]
}

function gatherDetails(data: ReportData): { details: Record<number, EmbeddedDetail>; lines: string[]; count: number } {
  const details: Record<number, EmbeddedDetail> = {}
  const places = new Map<string, number>()
  let room = DETAIL_BUDGET_BYTES
  let count = 0
  for (const [trial, { manifest, ...rest }] of data.details) {
    const before = places.size
    const packed = manifest?.map(({ name, text }) => ({ name, lines: packLines(text, places) }))
    const detail = { ...rest, ...(packed === undefined ? {} : { manifest: packed }) }
    const text = JSON.stringify(detail, (_, value) => (typeof value === 'number' ? short(value) : value))
    const added = [...places.keys()].slice(before).reduce((sum, line) => sum + line.length + 3, 0)
    room -= text.length + added
    if (room < 0) break
    details[trial] = JSON.parse(text) as EmbeddedDetail
    count++
  }
  return { details, lines: [...places.keys()], count }
}

/** Numbers of a text's lines among all lines seen so far. */
function packLines(text: string, places: Map<string, number>): number[] {
  return text.split('\n').map((line) => {
    const known = places.get(line)
    if (known !== undefined) return known
    places.set(line, places.size)
    return places.size - 1
  })
}

function measured(trial: FeasibleTrial, data: ReportData): Record<string, number> {
  const kept: Record<string, number> = {}
  for (const { name } of data.measures) {
    const value = trial.metrics[name]
    if (value !== undefined) kept[name] = short(value)
  }
  return kept
}

function rounded(values: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, short(value)]))
}

function short(value: number): number {
  return Number(value.toPrecision(DIGITS))
}

function packRecords(records: readonly object[]): Record<string, PackedColumn> {
  const rows = records as readonly Readonly<Record<string, unknown>>[]
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  return Object.fromEntries(names.map((name) => [name, packColumn(rows.map((row) => row[name] ?? null))]))
}

/** The smallest of the three forms; absent values are null. */
export function packColumn(values: readonly unknown[]): PackedColumn {
  const places = new Map<string, number>()
  const distinct: unknown[] = []
  const at = values.map((value) => {
    const key = JSON.stringify(value)
    let place = places.get(key)
    if (place === undefined) {
      place = distinct.length
      places.set(key, place)
      distinct.push(value)
    }
    return place
  })
  if (distinct.length === 1) return { all: distinct[0] }
  if (distinct.length * 2 > values.length && values.every((value) => typeof value === 'number'))
    return { plain: values }
  return { of: distinct, at }
}
