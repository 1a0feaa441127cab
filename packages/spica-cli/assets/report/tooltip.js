/** The box beside the point under the pointer or in focus. */

import { formatNumber } from './axis.js'
import { byId, html } from './dom.js'
import { rowName } from './model.js'

function figure(label, value, unit) {
  return html('div', { class: 'tip-row' }, html('span', null, label), html('b', null, `${formatNumber(value)} ${unit}`))
}

/** Shows and hides `#tooltip`; `size` is that of the plot, pixels. */
export function createTooltip(objectives) {
  const box = byId('tooltip')
  function place({ px, py }, size) {
    box.hidden = false
    const left = px + 16 + box.offsetWidth > size.width ? px - 16 - box.offsetWidth : px + 16
    box.style.left = `${Math.max(0, left)}px`
    box.style.top = `${Math.max(0, Math.min(size.height - box.offsetHeight, py - 20))}px`
  }
  return {
    showRow(point, size) {
      const { row } = point
      box.replaceChildren(
        html('div', { class: 'tip-title' }, rowName(row), html('span', null, ` ${row.shape}`)),
        html('div', { class: 'tip-sub' }, `${row.backend} · ${row.mode} · ${row.gpus} GPUs`),
        ...objectives.map(({ name, label, unit }) => figure(label, row.values[name], unit)),
      )
      place(point, size)
    },
    showOverlay(point, source, size) {
      box.replaceChildren(
        html('div', { class: 'tip-title' }, point.overlay.label),
        html('div', { class: 'tip-sub' }, source),
        ...objectives
          .filter(({ name }) => point.overlay.values[name] !== undefined)
          .map(({ name, label, unit }) => figure(label, point.overlay.values[name], unit)),
      )
      place(point, size)
    },
    hide() {
      box.hidden = true
    },
  }
}
