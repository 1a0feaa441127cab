/** The table of candidates and trials: sorting, scope, brushing, keys. */

import { formatNumber } from './axis.js'
import { byId, html } from './dom.js'
import { rowName, STATUS_NAMES } from './model.js'
import { backendName } from './plain-words.js'

/** Rows shown at first and added by each press of the button. */
const PAGE = 20

function columnsOf(payload) {
  const metric = (name, label) => ({ label, numeric: true, value: (row) => row.values?.[name] })
  return [
    { label: 'Name', value: (row) => row.rank ?? 1e9 + row.id, text: rowName, numeric: false },
    { label: 'Mode', value: (row) => row.mode },
    { label: 'Backend', value: (row) => backendName(row.backend) },
    { label: 'Shape', value: (row) => row.shape, whole: true },
    { label: 'GPUs', numeric: true, value: (row) => row.gpus },
    ...payload.objectives.map(({ name, label, unit }) => ({ ...metric(name, label), unit })),
    ...payload.measures.filter(({ table }) => table).map(({ name, label, unit }) => ({ ...metric(name, label), unit })),
    {
      label: 'Outcome',
      failures: true,
      value: (row) => STATUS_NAMES[row.status] ?? row.status,
      title: (row) => row.reason,
    },
  ]
}

/** Builds `#table`; returns nothing, it follows the view state. */
export function createTable(model, state) {
  const columns = columnsOf(model.payload)
  const body = html('tbody')
  const view = { sort: 0, descending: false, shown: PAGE }

  const scopes = {
    candidates: () => model.candidates,
    feasible: () => model.rows.filter((row) => row.values !== null),
    all: () => model.rows.filter((row) => row.status !== 'cache-hit'),
  }
  function rows() {
    const chosen = scopes[state.scope]().filter(
      (row) => state.passes(row) && (state.selection === null || state.selection.has(row.id)),
    )
    const { value } = columns[view.sort]
    const order = view.descending ? -1 : 1
    const missing = (item) => item === undefined || item === null
    return chosen.sort((a, b) => {
      const x = value(a)
      const y = value(b)
      if (missing(x) || missing(y)) return Number(missing(x)) - Number(missing(y)) || a.id - b.id
      return (x < y ? -1 : x > y ? 1 : 0) * order || (a.rank ?? 1e9) - (b.rank ?? 1e9) || a.id - b.id
    })
  }

  function cell(column, row, first) {
    const value = column.text?.(row) ?? (column.numeric ? formatNumber(column.value(row)) : column.value(row))
    const attributes = {
      class: column.numeric ? 'number' : column.whole ? 'whole' : null,
      title: column.title?.(row) ?? null,
    }
    if (!first) return html('td', attributes, value)
    const content = row.values === null ? value : html('a', { href: `#trial-${row.id}` }, value)
    return html('th', { ...attributes, scope: 'row' }, content)
  }

  function draw() {
    const all = rows()
    const shown = all.slice(0, view.shown)
    body.replaceChildren(
      ...shown.map((row, index) =>
        html(
          'tr',
          {
            'data-trial': row.id,
            tabindex: index === 0 ? 0 : -1,
            class: row.rank !== null ? 'ranked' : null,
            pointerenter: () => state.change('highlight', { highlighted: row.id }),
            pointerleave: () => state.change('highlight', { highlighted: null }),
          },
          columns.map((column, place) => (isShown(column) ? cell(column, row, place === 0) : null)),
        ),
      ),
    )
    for (const [place, head] of [...heads.children].entries()) head.hidden = !isShown(columns[place])
    const selected = state.selection === null ? '' : `, ${state.selection.size} selected in the plot`
    byId('table-count').textContent = `${shown.length} of ${all.length} shown${selected}`
    byId('table-more').hidden = shown.length === all.length
    byId('clear-selection').hidden = state.selection === null
    byId('zoom-selection')?.toggleAttribute('hidden', state.selection === null)
    for (const input of document.querySelectorAll('input[name="scope"]')) input.checked = input.value === state.scope
  }

  const isShown = (column) => column.failures !== true || state.scope === 'all'
  function header(column, index) {
    const press = () => {
      view.descending = view.sort === index ? !view.descending : column.numeric === true
      view.sort = index
      for (const [place, head] of [...heads.children].entries())
        head.setAttribute('aria-sort', place !== index ? 'none' : view.descending ? 'descending' : 'ascending')
      draw()
    }
    const unit = column.unit ? html('span', { class: 'unit' }, column.unit) : null
    return html(
      'th',
      { scope: 'col', class: column.numeric ? 'number' : null, 'aria-sort': index === 0 ? 'ascending' : 'none' },
      html('button', { type: 'button', click: press }, column.label, unit),
    )
  }

  body.addEventListener('keydown', (event) => {
    const row = event.target.closest('tr')
    if (row === null) return
    const list = [...body.children]
    const index = list.indexOf(row)
    const goal = {
      ArrowDown: index + 1,
      ArrowUp: index - 1,
      Home: 0,
      End: list.length - 1,
      PageDown: index + 10,
      PageUp: index - 10,
    }
    if (event.key in goal) {
      const next = list[Math.max(0, Math.min(list.length - 1, goal[event.key]))]
      row.setAttribute('tabindex', '-1')
      next.setAttribute('tabindex', '0')
      next.focus()
      event.preventDefault()
    } else if (event.key === 'Enter' && event.target === row) row.querySelector('a')?.click()
  })
  body.addEventListener('focusin', (event) => {
    const id = event.target.closest('tr')?.getAttribute('data-trial')
    if (id !== undefined && id !== null) state.change('highlight', { highlighted: Number(id) })
  })
  byId('table-more').addEventListener('click', () => {
    view.shown += 4 * PAGE
    draw()
  })
  for (const input of document.querySelectorAll('input[name="scope"]'))
    input.addEventListener('change', () => state.change('filter', { scope: input.value }))

  const heads = html('tr', null, columns.map(header))
  byId('table').replaceChildren(
    html(
      'table',
      null,
      html('caption', { class: 'sr-only' }, 'Deployments and their figures; column heads sort'),
      html('thead', null, heads),
      body,
    ),
  )
  state.subscribe((what) => {
    if (what !== 'highlight') {
      if (what === 'selection') view.shown = PAGE
      draw()
    }
    for (const row of body.children)
      row.classList.toggle('highlighted', Number(row.getAttribute('data-trial')) === state.highlighted)
  })
  draw()
}
