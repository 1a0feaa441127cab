/** The page of one deployment. */

import { formatNumber } from './axis.js'
import { html } from './dom.js'
import { modeName } from './filters.js'
import { rowName } from './model.js'
import { backendName, deploymentInWords } from './plain-words.js'
import { timeChart } from './time-chart.js'

/** Scaling decisions listed before the rest is folded away. */
const EVENTS_SHOWN = 12

function figures(row, payload) {
  const cards = payload.objectives.map(({ name, label, unit }) => [label, row.values[name], unit])
  for (const { name, label, unit, table } of payload.measures)
    if (table && row.values[name] !== undefined) cards.push([label, row.values[name], unit])
  cards.push(['GPUs', row.gpus, ''])
  return html(
    'dl',
    { class: 'figures' },
    cards.map(([label, value, unit]) =>
      html(
        'div',
        null,
        html('dt', null, label),
        html('dd', null, formatNumber(value), unit ? html('span', { class: 'unit' }, ` ${unit}`) : null),
      ),
    ),
  )
}

function section(title, ...children) {
  return html('section', { class: 'card' }, html('h3', null, title), ...children)
}

function latencies(detail) {
  if (detail.percentiles === undefined) return null
  const heads = ['mean', 'median', 'p75', 'p90', 'p95', 'p99', 'max']
  const rows = detail.percentiles.map(({ label, unit, values }) =>
    html(
      'tr',
      null,
      html('th', { scope: 'row' }, label, html('span', { class: 'unit' }, ` ${unit}`)),
      values.map((value) => html('td', { class: 'number' }, formatNumber(value))),
    ),
  )
  return section(
    'Latency percentiles',
    html(
      'div',
      { class: 'scroll' },
      html(
        'table',
        null,
        html(
          'thead',
          null,
          html(
            'tr',
            null,
            html('th', { scope: 'col' }, ''),
            heads.map((head) => html('th', { scope: 'col', class: 'number' }, head)),
          ),
        ),
        html('tbody', null, rows),
      ),
    ),
  )
}

function utilisation(detail, disagg) {
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

function plannerEvents(detail, config) {
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

function bottleneck(detail) {
  if (detail.bottleneck === undefined) return null
  const { kind, title, because, numbers } = detail.bottleneck
  return html(
    'section',
    { class: 'card bottleneck', 'data-kind': kind },
    html('h3', null, 'Bottleneck'),
    html('p', { class: 'verdict' }, title),
    html('p', null, because),
    html(
      'dl',
      { class: 'facts' },
      numbers.map(([label, value]) => html('div', null, html('dt', null, label), html('dd', null, value))),
    ),
    html('p', { class: 'muted' }, html('a', { href: '#method-bottleneck' }, 'How this is decided')),
  )
}

function manifest(detail, row, allLines) {
  if (detail.manifest === undefined) {
    const how =
      row.rank === null
        ? null
        : html(
            'p',
            null,
            'Not in this report. Write it with ',
            html('code', null, `spica export <this folder> --candidate ${row.rank}`),
            ', then ',
            html('code', null, 'spica report <this folder>'),
            '.',
          )
    return how === null ? null : section('Manifest', how)
  }
  const status = html('span', { class: 'muted', role: 'status' })
  const parts = detail.manifest.map(({ name, lines }) => {
    const text = lines.map((line) => allLines[line]).join('\n')
    const code = html('pre', { tabindex: 0, 'aria-label': `Manifest ${name}` }, text)
    const copy = async () => {
      try {
        await navigator.clipboard.writeText(text)
        status.textContent = 'Copied.'
      } catch {
        const range = document.createRange()
        range.selectNodeContents(code)
        getSelection().removeAllRanges()
        getSelection().addRange(range)
        status.textContent = 'Selected: press Ctrl+C or ⌘C to copy.'
      }
    }
    return [
      html(
        'div',
        { class: 'manifest-head' },
        html('code', null, name),
        html('button', { type: 'button', class: 'copy', click: copy }, 'Copy'),
      ),
      code,
    ]
  })
  return section('Manifest', ...parts.flat(), status)
}

function configTable(config) {
  return html(
    'details',
    { class: 'card' },
    html('summary', null, 'Every setting'),
    html(
      'div',
      { class: 'scroll' },
      html(
        'table',
        { class: 'settings' },
        html(
          'tbody',
          null,
          Object.entries(config).map(([key, value]) =>
            html(
              'tr',
              null,
              html('th', { scope: 'row' }, html('code', null, key)),
              html('td', null, typeof value === 'object' ? JSON.stringify(value) : String(value)),
            ),
          ),
        ),
      ),
    ),
  )
}

function relation(row, model) {
  const extra = model.payload.candidates[row.rank - 1]?.alternatives ?? []
  if (row.rank !== null && extra.length > 0)
    return html(
      'p',
      { class: 'muted' },
      'Trials with exactly the same objectives: ',
      extra.flatMap((id, index) => [index === 0 ? '' : ', ', html('a', { href: `#trial-${id}` }, `trial ${id}`)]),
    )
  if (row.rank !== null || model.payload.kind !== 'front') return null
  const beats = (other) =>
    model.payload.objectives.every(({ name, direction }) =>
      direction === 'maximize' ? other.values[name] >= row.values[name] : other.values[name] <= row.values[name],
    )
  const better = model.candidates.filter(beats)
  if (better.length === 0) return null
  const [first] = better
  const margins = model.payload.objectives.map(
    ({ name, label, unit }) => `${label} ${formatNumber(Math.abs(first.values[name] - row.values[name]))} ${unit}`,
  )
  return html(
    'p',
    null,
    'Not on the front: ',
    html('a', { href: `#trial-${first.id}` }, rowName(first)),
    ` is at least as good in everything, better by ${margins.join(' and ')}`,
    better.length > 1 ? `; ${better.length - 1} more beat it too.` : '.',
  )
}

/** Elements of the page of `row`. */
export function candidatePage(row, model) {
  const { payload } = model
  const config = row.config()
  const detail = payload.details[row.id] ?? {}
  const words = deploymentInWords(config)
  const place = model.candidates.indexOf(row)
  const step = (other, text, rel) => (other === undefined ? null : html('a', { href: `#trial-${other.id}`, rel }, text))
  return [
    html(
      'nav',
      { class: 'pager', 'aria-label': 'Candidates' },
      html('a', { href: '#overview' }, '← All results'),
      html(
        'span',
        null,
        place < 0 ? null : step(model.candidates[place - 1], '← Previous', 'prev'),
        place < 0
          ? step(model.candidates[0], 'Best candidate', 'next')
          : step(model.candidates[place + 1], 'Next →', 'next'),
      ),
    ),
    html('h2', { id: 'candidate-title', tabindex: -1 }, rowName(row), html('span', { class: 'shape' }, row.shape)),
    html(
      'p',
      { class: 'sub' },
      `${backendName(row.backend)} · ${modeName(row.mode)} · trial ${row.id}, round ${row.round}`,
      html('span', { class: 'tag' }, 'predicted'),
    ),
    relation(row, model),
    figures(row, payload),
    html(
      'div',
      { class: 'two' },
      section('In plain words', ...words.map((sentence) => html('p', null, sentence))),
      bottleneck(detail),
    ),
    latencies(detail),
    utilisation(detail, row.mode === 'disagg'),
    plannerEvents(detail, config),
    detail.timeline === undefined ? html('p', { class: 'muted' }, payload.detailNote) : null,
    manifest(detail, row, payload.lines),
    configTable(config),
  ].filter((part) => part !== null)
}
