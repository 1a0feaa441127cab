/** The scatter plot: what is in view, zoom, highlight. */

import { inverseOf, paddedRange, scaleOf } from './axis.js'
import { byId, svg } from './dom.js'
import { drawFrame, MARGIN } from './plot-frame.js'
import { drawBoundary, drawMarks, drawOverlay } from './plot-marks.js'
import { createTooltip } from './tooltip.js'

/** Height of the plot, pixels. */
const HEIGHT = 460
/** Distance within which the pointer picks a point, pixels. */
const REACH = 26
/** Mean width of a character of an axis title, pixels. */
const CHARACTER_WIDTH = 7
/** Room around the plotting area in which marks are not cut off, pixels. */
const BLEED = 7

/** Title of an axis, with as many remarks as `room` pixels hold. */
function titleOf(axis, log, room) {
  const remarks = [axis.better, log ? 'log scale' : undefined].filter((remark) => remark !== undefined)
  for (; remarks.length > 0; remarks.shift()) {
    const title = `${axis.title} (${remarks.join(', ')})`
    if (title.length * CHARACTER_WIDTH <= room) return title
  }
  return axis.title
}

/** Draws into `#plot`. `openRow(row)` shows a row's page. */
export function createPlot(model, state, axes, openRow) {
  const { payload } = model
  const host = byId('plot')
  const tooltip = createTooltip(payload.objectives)
  const view = { x: axes[0], y: axes[1], logX: false, logY: false, zoom: null, current: null }
  let drawn = { points: [], overlay: [], marks: new Map(), x: null, y: null, width: 0 }

  const bottom = HEIGHT - MARGIN.bottom
  const right = () => drawn.width - MARGIN.right
  const isShowable = (value, log) => Number.isFinite(value) && (!log || value > 0)

  function axisOf(axis, log, from, to, range) {
    return {
      range,
      log,
      at: scaleOf(range, from, to, log),
      from: inverseOf(range, from, to, log),
      title: titleOf(axis, log, Math.abs(to - from)),
    }
  }

  function visiblePoints() {
    const rows = model.rows.filter((row) => row.values !== null && state.passes(row))
    const points = rows
      .map((row) => ({ row, x: row.values[view.x.key], y: row.values[view.y.key] }))
      .filter(({ x, y }) => isShowable(x, view.logX) && isShowable(y, view.logY))
    const overlay = (payload.overlay?.points ?? [])
      .map((point) => ({ overlay: point, x: point.values[view.x.key], y: point.values[view.y.key] }))
      .filter(({ x, y }) => isShowable(y, view.logY) && (x === undefined || isShowable(x, view.logX)))
    return { points, overlay, missing: rows.length - points.length }
  }

  function draw() {
    const width = Math.max(300, host.clientWidth)
    const { points, overlay, missing } = visiblePoints()
    const all = [...points, ...overlay]
    const rangeOf = (pick, log) =>
      paddedRange(
        all.map(pick).filter((value) => value !== undefined),
        log,
      ) ?? [0.5, 1]
    const x = view.zoom?.x ?? rangeOf((point) => point.x, view.logX)
    const y = view.zoom?.y ?? rangeOf((point) => point.y, view.logY)
    drawn = {
      points,
      overlay,
      width,
      marks: new Map(),
      x: axisOf(view.x, view.logX, MARGIN.left, width - MARGIN.right, x),
      y: axisOf(view.y, view.logY, bottom, MARGIN.top, y),
    }
    for (const point of all) {
      point.px = point.x === undefined ? Number.NaN : drawn.x.at(point.x)
      point.py = drawn.y.at(point.y)
    }
    drawn.marks = drawMarks(points, model)
    paint()
    byId('plot-note').textContent = missing > 0 ? `${missing} points have no value to show on these axes.` : ''
  }

  function paint() {
    const { width, points, overlay, marks } = drawn
    const area = { x: MARGIN.left - BLEED, y: MARGIN.top - BLEED }
    const size = { width: width - area.x - MARGIN.right + BLEED, height: bottom - area.y + BLEED }
    const label = `${view.y.title} against ${view.x.title}, ${points.length} points. Arrow keys move between points, Enter opens one, Space selects, plus and minus zoom, 0 resets.`
    host.replaceChildren(
      svg(
        'svg',
        { width, height: HEIGHT, viewBox: `0 0 ${width} ${HEIGHT}`, role: 'group', 'aria-label': label },
        svg('defs', null, svg('clipPath', { id: 'plot-area' }, svg('rect', { ...area, ...size }))),
        drawFrame(width, HEIGHT, drawn.x, drawn.y),
        svg(
          'g',
          { 'clip-path': 'url(#plot-area)' },
          drawBoundary(points, view, drawn, payload),
          svg('g', { class: 'marks' }, [...marks.values()]),
          overlay.map((point) => drawOverlay(point, drawn, width)),
          svg('circle', { class: 'halo', r: 10, hidden: true }),
          svg('rect', { class: 'brush', hidden: true }),
        ),
      ),
    )
    showSelection()
    showHighlight()
    const roving = points.find(({ row }) => row.id === view.current) ?? inOrder()[0]
    if (roving !== undefined) marks.get(roving.row.id).setAttribute('tabindex', '0')
  }

  function showSelection() {
    for (const [id, mark] of drawn.marks) {
      mark.classList.toggle('dim', state.selection !== null && !state.selection.has(id))
      mark.classList.toggle('picked', state.selection?.has(id) ?? false)
    }
  }
  function showHighlight() {
    const halo = host.querySelector('.halo')
    const mark = state.highlighted === null ? undefined : drawn.marks.get(state.highlighted)
    halo?.toggleAttribute('hidden', mark === undefined)
    if (mark !== undefined) halo.setAttribute('transform', mark.getAttribute('transform'))
  }

  function isInView({ px, py }) {
    return px >= MARGIN.left - 1 && px <= right() + 1 && py >= MARGIN.top - 1 && py <= bottom + 1
  }
  /** Points in view from left to right, for the keyboard. */
  function inOrder() {
    return drawn.points.filter(isInView).sort((a, b) => a.px - b.px || b.py - a.py || a.row.id - b.row.id)
  }
  function nearest(px, py) {
    let best = null
    let distance = REACH * REACH
    for (const point of [...drawn.points, ...drawn.overlay]) {
      if (!isInView(point)) continue
      const own = (point.px - px) ** 2 + (point.py - py) ** 2 - (point.row?.rank === null ? 0 : 9)
      if (own < distance) {
        distance = own
        best = point
      }
    }
    return best
  }

  function show(point) {
    const size = { width: drawn.width, height: HEIGHT }
    if (point.row === undefined) tooltip.showOverlay(point, payload.overlay.label, size)
    else tooltip.showRow(point, size)
    const highlighted = point.row?.id ?? null
    if (state.highlighted !== highlighted) state.change('highlight', { highlighted })
  }
  function hide() {
    tooltip.hide()
    if (state.highlighted !== null) state.change('highlight', { highlighted: null })
  }

  function setView(patch) {
    Object.assign(view, { zoom: null }, patch)
    draw()
  }
  /** Scales what is in view by `factor` about a pixel; the centre when none is given. */
  function zoomBy(factor, px = (MARGIN.left + right()) / 2, py = (MARGIN.top + bottom) / 2) {
    const part = (axis, from, to, about) => [from, to].map((edge) => axis.from(about + (edge - about) * factor))
    setView({ zoom: { x: part(drawn.x, MARGIN.left, right(), px), y: part(drawn.y, bottom, MARGIN.top, py) } })
  }
  function pan(dx, dy) {
    const { x, y } = drawn
    setView({
      zoom: { x: [x.from(MARGIN.left + dx), x.from(right() + dx)], y: [y.from(bottom + dy), y.from(MARGIN.top + dy)] },
    })
  }
  function zoomToSelection() {
    const chosen = drawn.points.filter(({ row }) => state.selection?.has(row.id))
    if (chosen.length === 0) return
    const range = (pick, log) => paddedRange(chosen.map(pick), log)
    setView({ zoom: { x: range((point) => point.x, view.logX), y: range((point) => point.y, view.logY) } })
  }

  state.subscribe((what) => {
    if (what === 'filter') draw()
    else if (what === 'selection') showSelection()
    else showHighlight()
  })
  new ResizeObserver(() => {
    if (host.clientWidth > 0 && host.clientWidth !== drawn.width) draw()
  }).observe(host)
  return {
    host,
    view,
    draw,
    nearest,
    inOrder,
    show,
    hide,
    setView,
    zoomBy,
    pan,
    zoomToSelection,
    openRow,
    points: () => drawn.points,
    markOf: (id) => drawn.marks.get(id),
  }
}
