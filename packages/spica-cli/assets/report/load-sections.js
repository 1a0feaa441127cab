/** Load over time of a deployment, and what the autoscaler did. */

import { html } from './dom.js'
import { section } from './page-section.js'
import { timeChart } from './time-chart.js'

/** Scaling decisions listed before the rest is folded away. */
const EVENTS_SHOWN = 12

/** Charts of load over time; null when nothing is kept of it. */
export function utilisation(detail, disagg) {
  const pools = Object.entries(detail.timeline ?? {})
  if (pools.length === 0) return null
  const label = (pool) => (disagg ? pool : 'workers')
  const lines = (columnName, suffix = '', dashed = false) =>
    pools.map(([pool, columns], index) => ({
      name: suffix === '' ? label(pool) : disagg ? `${pool} ${suffix}` : suffix,
      times: columns.timeMs,
      values: columns[columnName],
      series: index,
      dashed,
    }))
  const marks = (detail.events ?? []).map((event) => event.time_ms)
  return section(
    'Utilisation over time',
    html(
      'div',
      { class: 'charts' },
      timeChart('Workers inside a pass', lines('busyWorkers'), { percent: true }),
      timeChart('KV cache in use', lines('kvUtilisation'), { percent: true }),
      timeChart('Requests', [...lines('runningRequests', 'running'), ...lines('waitingRequests', 'waiting', true)]),
      timeChart('Active workers', lines('activeWorkers'), { stepped: true, marks }),
    ),
  )
}

/** Scaling decisions; null where the autoscaler is off. */
export function plannerEvents(detail, config) {
  const events = detail.events ?? []
  const scales = config.enable_load_scaling === true || config.enable_throughput_scaling === true
  if (!scales) return null
  if (events.length === 0)
    return section('Planner events', html('p', null, 'The autoscaler ran but never changed a target.'))
  const list = (some) =>
    html(
      'ul',
      { class: 'events' },
      some.map((event) =>
        html(
          'li',
          null,
          html('span', { class: 'number' }, `${(event.time_ms / 1000).toFixed(1)} s`),
          ` ${event.pool}: ${event.from} → ${event.to} workers`,
        ),
      ),
    )
  const more = events.slice(EVENTS_SHOWN)
  const total = detail.eventCount ?? events.length
  return section(
    `Planner events (${total})`,
    list(events.slice(0, EVENTS_SHOWN)),
    more.length === 0 ? null : html('details', null, html('summary', null, `${more.length} more`), list(more)),
    total > events.length
      ? html('p', { class: 'muted' }, `The first ${events.length} of ${total} are kept here.`)
      : null,
  )
}

/** Why there is no load over time, where there is none. */
export function missingLoad(payload, row, detail) {
  if (detail.timeline !== undefined) return null
  const isKept = payload.details[row.id] !== undefined
  const why = isKept ? 'The ledger holds no load over time for this deployment.' : payload.detailNote
  return html('p', { class: 'muted' }, why)
}
