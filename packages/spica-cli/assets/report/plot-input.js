/** Pointer, wheel and keys of the scatter plot. */

import { byId } from './dom.js'

/** Shortest drag that counts as a brush, pixels. */
const DRAG = 4

/** Position of a pointer inside the plot, pixels. */
function positionIn(host, event) {
  const box = host.getBoundingClientRect()
  return [event.clientX - box.left, event.clientY - box.top]
}

/** Hover, click, brush (or pan, with Shift or the pan tool), wheel zoom with Ctrl or after a click into the plot. */
export function listenToPointer(plot, state) {
  const { host } = plot
  let start = null
  let engaged = false

  const brush = () => host.querySelector('.brush')
  const boxOf = ([x, y]) => ({
    x: Math.min(start.at[0], x),
    y: Math.min(start.at[1], y),
    width: Math.abs(x - start.at[0]),
    height: Math.abs(y - start.at[1]),
  })
  host.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return
    const tool = document.querySelector('input[name="tool"]:checked')?.value
    start = { at: positionIn(host, event), moved: false, pans: event.shiftKey || tool === 'pan' }
    engaged = true
    host.setPointerCapture(event.pointerId)
  })
  host.addEventListener('pointermove', (event) => {
    const at = positionIn(host, event)
    if (start === null) {
      const point = plot.nearest(at[0], at[1])
      host.classList.toggle('over-point', point?.row !== undefined)
      if (point === null) plot.hide()
      else plot.show(point)
      return
    }
    if (!start.moved && Math.hypot(at[0] - start.at[0], at[1] - start.at[1]) < DRAG) return
    if (!start.moved) plot.hide()
    start.moved = true
    if (start.pans) {
      plot.pan(start.at[0] - at[0], start.at[1] - at[1])
      start.at = at
      return
    }
    const box = boxOf(at)
    brush().toggleAttribute('hidden', false)
    for (const [name, value] of Object.entries(box)) brush().setAttribute(name, String(value))
  })
  host.addEventListener('pointerup', (event) => {
    if (start === null) return
    const at = positionIn(host, event)
    if (!start.moved) {
      const point = plot.nearest(at[0], at[1])
      start = null
      if (point?.row !== undefined) plot.openRow(point.row)
      else if (state.selection !== null) state.change('selection', { selection: null })
      return
    }
    if (!start.pans) {
      const box = boxOf(at)
      const inside = ({ px, py }) => px >= box.x && px <= box.x + box.width && py >= box.y && py <= box.y + box.height
      const chosen = plot.points().filter(inside)
      brush().toggleAttribute('hidden', true)
      state.change('selection', {
        selection: chosen.length === 0 ? null : new Set(chosen.map(({ row }) => row.id)),
        scope: chosen.some(({ row }) => row.rank === null) ? 'feasible' : state.scope,
      })
    }
    start = null
  })
  host.addEventListener('pointercancel', () => {
    start = null
  })
  host.addEventListener('pointerleave', () => {
    engaged = false
    if (start === null) plot.hide()
  })
  host.addEventListener(
    'wheel',
    (event) => {
      if (!engaged && !event.ctrlKey && !event.metaKey) return
      event.preventDefault()
      plot.zoomBy(Math.exp(Math.sign(event.deltaY) * 0.2), ...positionIn(host, event))
    },
    { passive: false },
  )
  host.addEventListener('dblclick', () => plot.setView({}))
}

/** Arrow keys walk along the points in view; Enter opens, Space selects, + − 0 zoom, Escape clears. */
export function listenToKeys(plot, state) {
  const { host } = plot
  const focusPoint = (point) => {
    host.querySelector('.mark[tabindex="0"]')?.setAttribute('tabindex', '-1')
    const mark = plot.markOf(point.row.id)
    plot.view.current = point.row.id
    mark.setAttribute('tabindex', '0')
    mark.focus()
  }
  const refocus = () => {
    const mark = plot.markOf(plot.view.current)
    if (mark !== undefined) mark.focus()
  }
  host.addEventListener('focusin', (event) => {
    const id = Number(event.target.getAttribute('data-trial') ?? Number.NaN)
    const point = plot.points().find(({ row }) => row.id === id)
    if (point === undefined) return
    plot.view.current = id
    plot.show(point)
  })
  host.addEventListener('focusout', () => plot.hide())
  host.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const order = plot.inOrder()
    const index = order.findIndex(({ row }) => row.id === plot.view.current)
    const here = order[index]
    const steps = { ArrowRight: 1, ArrowLeft: -1, ArrowUp: -1, ArrowDown: 1, PageDown: 10, PageUp: -10 }
    const zooms = { '+': 0.7, '=': 0.7, '-': 1 / 0.7 }
    if (event.key in steps && order.length > 0)
      focusPoint(order[Math.max(0, Math.min(order.length - 1, index + steps[event.key]))])
    else if (event.key === 'Home' && order.length > 0) focusPoint(order[0])
    else if (event.key === 'End' && order.length > 0) focusPoint(order[order.length - 1])
    else if (event.key === 'Enter' && here !== undefined) plot.openRow(here.row)
    else if (event.key === ' ' && here !== undefined) {
      const selection = new Set(state.selection ?? [])
      if (!selection.delete(here.row.id)) selection.add(here.row.id)
      state.change('selection', {
        selection: selection.size === 0 ? null : selection,
        scope: here.row.rank === null ? 'feasible' : state.scope,
      })
    } else if (event.key in zooms) {
      plot.zoomBy(zooms[event.key], here?.px, here?.py)
      refocus()
    } else if (event.key === '0') {
      plot.setView({})
      refocus()
    } else if (event.key === 'Escape') state.change('selection', { selection: null })
    else return
    event.preventDefault()
  })
}

/** Buttons, axis menus and log switches beside the plot. */
export function listenToControls(plot, state, axes) {
  const axisOf = (key) => axes.find((axis) => axis.key === key)
  byId('axis-x').addEventListener('change', (event) => plot.setView({ x: axisOf(event.target.value) }))
  byId('axis-y').addEventListener('change', (event) => plot.setView({ y: axisOf(event.target.value) }))
  byId('log-x').addEventListener('change', (event) => plot.setView({ logX: event.target.checked }))
  byId('log-y').addEventListener('change', (event) => plot.setView({ logY: event.target.checked }))
  byId('zoom-in').addEventListener('click', () => plot.zoomBy(0.7))
  byId('zoom-out').addEventListener('click', () => plot.zoomBy(1 / 0.7))
  byId('zoom-reset').addEventListener('click', () => plot.setView({}))
  byId('zoom-selection').addEventListener('click', () => plot.zoomToSelection())
  byId('clear-selection').addEventListener('click', () => state.change('selection', { selection: null }))
}
