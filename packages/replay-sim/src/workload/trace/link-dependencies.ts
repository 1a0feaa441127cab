import { startsToArrivals, type Timing, type TimingOptions } from './link-sessions.js'
import type { TraceProblemList } from './trace-problem.js'
import type { TraceRows } from './trace-rows.js'

/** Timing of an agentic trace: requests wait for others to complete, then for their delay. */
export interface DependencyTiming extends Timing {
  readonly dependencyOffsets: Uint32Array
  readonly dependencies: Uint32Array
}

/** Resolves `wait_for` ids to rows; unknown ids, doubled ids and cycles are errors. Every request is its own session. */
export function linkDependencies(
  rows: TraceRows,
  problems: TraceProblemList,
  options: TimingOptions,
): DependencyTiming {
  const { count } = rows
  const lineOf = (row: number): number => rows.lines.values[row]!
  const byId = new Map<string, number>()
  rows.requestIds.forEach((id, row) => {
    if (id === null) return
    const first = byId.get(id)
    if (first === undefined) byId.set(id, row)
    else
      problems.add('error', lineOf(row), 'duplicate-request-id', `request_id ${id} is already on line ${lineOf(first)}`)
  })
  const dependencyOffsets = new Uint32Array(count + 1)
  const flat: number[] = []
  for (let row = 0; row < count; row++) {
    for (const id of new Set(rows.waitFor.get(row) ?? [])) {
      const target = byId.get(id)
      if (target !== undefined) flat.push(target)
      else
        problems.add('error', lineOf(row), 'unknown-dependency', `wait_for names ${id}, which no row has as request_id`)
    }
    dependencyOffsets[row + 1] = flat.length
  }
  const dependencies = Uint32Array.from(flat)
  reportCycle(rows, problems, dependencyOffsets, dependencies)
  const isRoot = (row: number): boolean => (rows.waitFor.get(row)?.length ?? 0) === 0
  const arrivalMs = startsToArrivals(rows, problems, rows.timestampMs.values, isRoot, options)
  const speedup = options.closedLoop ? 1 : options.arrivalSpeedupRatio
  const delayMs = new Float64Array(count)
  for (let row = 0; row < count; row++) {
    const delay = rows.delayMs.values[row]!
    if (!isRoot(row) && !Number.isNaN(delay)) delayMs[row] = delay / speedup
  }
  return {
    arrivalMs,
    session: Int32Array.from({ length: count }, (_, row) => row),
    turn: new Int32Array(count),
    delayMs,
    nextTurn: new Int32Array(count).fill(-1),
    sessionIds: rows.sessionNames.length === 0 ? null : sessionNameOfEachRow(rows),
    dependencyOffsets,
    dependencies,
  }
}

function sessionNameOfEachRow(rows: TraceRows): (string | null)[] {
  return Array.from({ length: rows.count }, (_, row) => rows.sessionNames[rows.sessions.values[row]!] ?? null)
}

/** Reports one cycle, if any, with its members and lines. */
function reportCycle(
  rows: TraceRows,
  problems: TraceProblemList,
  offsets: Uint32Array,
  dependencies: Uint32Array,
): void {
  const { count } = rows
  const pending = new Int32Array(count)
  const dependents: number[][] = Array.from({ length: count }, () => [])
  for (let row = 0; row < count; row++) {
    pending[row] = offsets[row + 1]! - offsets[row]!
    for (let at = offsets[row]!; at < offsets[row + 1]!; at++) dependents[dependencies[at]!]!.push(row)
  }
  const ready: number[] = []
  for (let row = 0; row < count; row++) if (pending[row] === 0) ready.push(row)
  let settled = 0
  for (let row = ready.pop(); row !== undefined; row = ready.pop()) {
    settled++
    for (const dependent of dependents[row]!) if (--pending[dependent]! === 0) ready.push(dependent)
  }
  if (settled === count) return
  const path: number[] = []
  const seenAt = new Map<number, number>()
  let row = pending.findIndex((left) => left > 0)
  while (!seenAt.has(row)) {
    seenAt.set(row, path.length)
    path.push(row)
    let at = offsets[row]!
    while (pending[dependencies[at]!]! <= 0) at++
    row = dependencies[at]!
  }
  const cycle = path.slice(seenAt.get(row)!)
  const name = (member: number): string => `${rows.requestIds[member] ?? '?'} (line ${rows.lines.values[member]!})`
  const shown = cycle.slice(0, 8).map(name).join(' waits for ')
  const first = Math.min(...cycle.map((member) => rows.lines.values[member]!))
  problems.add('error', first, 'dependency-cycle', `${shown} waits for ${name(cycle[0]!)}`, {
    hint: 'remove one of these wait_for entries: none of these requests could ever start',
  })
}
