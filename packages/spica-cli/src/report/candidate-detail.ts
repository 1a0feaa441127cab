import { z } from 'zod'
import type { TrialRecord } from '../study/trial-record.js'
import { classifyBottleneck } from './bottleneck.js'
import { percentileRows } from './measures.js'
import type { CandidateDetail, Manifest } from './report-data.js'

/** Columns over time that the page shows. */
const SHOWN_COLUMNS = [
  'timeMs',
  'activeWorkers',
  'runningRequests',
  'waitingRequests',
  'kvUtilisation',
  'busyWorkers',
] as const
/** Scaling decisions kept of one run. */
const MOST_EVENTS = 60

const notesSchema = z.looseObject({
  timeline: z.record(z.string(), z.record(z.string(), z.array(z.number()))).optional(),
  scaling_events: z
    .array(z.looseObject({ time_ms: z.number(), pool: z.string(), from: z.number(), to: z.number() }))
    .optional(),
  pass_time: z
    .looseObject({ prefill_ms: z.number(), decode_ms: z.number(), sources: z.record(z.string(), z.number()) })
    .nullish(),
})
type Notes = z.infer<typeof notesSchema>

export interface DetailContext {
  readonly closedLoop: boolean
  readonly manifest: readonly Manifest[] | null
}

/** What the page of a feasible trial shows beyond its figures; parts that the ledger lacks are left out. */
export function candidateDetail(record: TrialRecord, { closedLoop, manifest }: DetailContext): CandidateDetail {
  const notes = notesOf(record)
  const metrics = record.metrics ?? {}
  const timeline = wholePools(notes.timeline ?? {})
  const bottleneck = classifyBottleneck({ timeline, metrics, closedLoop, prefillShare: prefillShareOf(notes) })
  const percentiles = percentileRows(metrics)
  const events = notes.scaling_events ?? []
  return {
    ...(percentiles.length === 0 ? {} : { percentiles }),
    ...(Object.keys(timeline).length === 0 ? {} : { timeline }),
    ...(events.length === 0
      ? {}
      : {
          events: events.slice(0, MOST_EVENTS).map(({ time_ms, pool, from, to }) => ({ time_ms, pool, from, to })),
          eventCount: events.length,
        }),
    ...(bottleneck === null ? {} : { bottleneck }),
    ...(manifest === null || manifest.length === 0 ? {} : { manifest }),
  }
}

/** Pools whose columns are all there and equally long. */
function wholePools(pools: NonNullable<Notes['timeline']>): NonNullable<Notes['timeline']> {
  const isWhole = (columns: Readonly<Record<string, readonly number[]>>) => {
    const length = columns['timeMs']?.length ?? 0
    return length > 0 && SHOWN_COLUMNS.every((name) => columns[name]?.length === length)
  }
  return Object.fromEntries(
    Object.entries(pools)
      .filter(([, columns]) => isWhole(columns))
      .map(([pool, columns]) => [pool, Object.fromEntries(SHOWN_COLUMNS.map((name) => [name, columns[name] ?? []]))]),
  )
}

/** Mean share of pass time by source over some trials, largest first; null when no trial tells. */
export function timeSources(records: readonly TrialRecord[]): { source: string; share: number }[] | null {
  const sums = new Map<string, number>()
  let count = 0
  for (const record of records) {
    const sources = notesOf(record).pass_time?.sources
    if (sources === undefined) continue
    count++
    for (const [source, share] of Object.entries(sources)) sums.set(source, (sums.get(source) ?? 0) + share)
  }
  if (count === 0) return null
  return [...sums]
    .map(([source, sum]) => ({ source, share: sum / count }))
    .sort((a, b) => b.share - a.share || (a.source < b.source ? -1 : 1))
}

function prefillShareOf({ pass_time: time }: Notes): number | null {
  if (time == null || !(time.prefill_ms + time.decode_ms > 0)) return null
  return time.prefill_ms / (time.prefill_ms + time.decode_ms)
}

/** Notes that have another form, e.g. of another version, count as absent. */
function notesOf(record: TrialRecord): Notes {
  const parsed = notesSchema.safeParse(record.notes ?? {})
  return parsed.success ? parsed.data : {}
}
