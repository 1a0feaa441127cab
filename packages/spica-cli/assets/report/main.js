/** Starts the page. */

import { candidatePage } from './candidate-page.js'
import { byId } from './dom.js'
import { axesOf, buildAxisMenu, buildFilters } from './filters.js'
import { decode, rowName } from './model.js'
import { createPlot } from './plot.js'
import { listenToControls, listenToKeys, listenToPointer } from './plot-input.js'
import { createTable } from './table.js'
import { createViewState, valueCounts } from './view-state.js'

/** Shows the page of the address: a deployment's, or the overview where it was left. */
function createNavigation(model, plot) {
  let left = null

  function showPage(row) {
    if (!byId('overview').hidden) left = { scroll: scrollY, id: row.id }
    else if (left !== null) left.id = row.id
    byId('overview').hidden = true
    byId('candidate').hidden = false
    byId('candidate').replaceChildren(...candidatePage(row, model))
    scrollTo(0, 0)
    byId('candidate-title').focus({ preventScroll: true })
  }

  function showOverview() {
    byId('overview').hidden = false
    byId('candidate').hidden = true
    plot.view.current = left?.id ?? null
    plot.draw()
    const target = location.hash.length > 1 ? byId(location.hash.slice(1)) : null
    if (target !== null && target !== byId('overview')) target.scrollIntoView()
    else if (left !== null) {
      scrollTo(0, left.scroll)
      const link = document.querySelector(`#table a[href="#trial-${left.id}"]`)
      ;(link ?? plot.markOf(left.id))?.focus({ preventScroll: true })
    }
    left = null
  }

  return () => {
    const match = /^#trial-(\d+)$/.exec(location.hash)
    const row = match === null ? undefined : model.byTrial.get(Number(match[1]))
    const isPage = row !== undefined && row.values !== null
    document.title = isPage ? `${rowName(row)} · ${model.payload.title}` : model.payload.title
    if (isPage) showPage(row)
    else showOverview()
  }
}

function start() {
  const model = decode(JSON.parse(byId('data').textContent))
  const feasible = model.rows.filter((row) => row.values !== null)
  model.series = new Map(valueCounts(feasible, 'backend').map(([backend], index) => [backend, index % 6]))
  for (const row of feasible) Object.assign(row.values, row.metrics())
  const state = createViewState()
  document.documentElement.classList.add('scripted')
  if (feasible.length === 0) {
    state.scope = 'all'
    createTable(model, state)
    return
  }
  const axes = axesOf(model.payload)
  const axisOf = (key) => axes.find((axis) => axis.key === key)
  const [first, second] = model.payload.objectives
  const pair =
    model.payload.kind === 'front' && second !== undefined
      ? [axisOf(second.name), axisOf(first.name)]
      : [axisOf('trial'), axisOf(first.name)]
  buildAxisMenu('axis-x', axes, pair[0])
  buildAxisMenu('axis-y', axes, pair[1])
  buildFilters(model, state)
  const plot = createPlot(model, state, pair, (row) => {
    location.hash = `#trial-${row.id}`
  })
  listenToPointer(plot, state)
  listenToKeys(plot, state)
  listenToControls(plot, state, axes)
  createTable(model, state)
  const navigate = createNavigation(model, plot)
  addEventListener('hashchange', navigate)
  navigate()
}

start()
