/** Filters by backend, mode and shape, and the plot's axis menus. */

import { byId, html } from './dom.js'
import { backendName } from './plain-words.js'
import { valueCounts } from './view-state.js'

const MODE_NAMES = { agg: 'aggregated', disagg: 'disaggregated' }

/** Name of a deployment mode. */
export function modeName(mode) {
  return Object.hasOwn(MODE_NAMES, mode) ? MODE_NAMES[mode] : mode
}

function checkboxes(title, field, nameOf, counts, state, swatch) {
  const boxes = counts.map(([value, count]) =>
    html(
      'label',
      { class: 'check' },
      html('input', {
        type: 'checkbox',
        checked: true,
        name: `filter-${field}`,
        value,
        change: (event) => {
          const hidden = new Set(state.hidden[field])
          if (event.target.checked) hidden.delete(value)
          else hidden.add(value)
          state.change('filter', { hidden: { ...state.hidden, [field]: hidden } })
        },
      }),
      swatch(value),
      nameOf(value),
      html('span', { class: 'count' }, String(count)),
    ),
  )
  return html('fieldset', null, html('legend', null, title), ...boxes)
}

/** Fills `#filters`. */
export function buildFilters(model, state) {
  const feasible = model.rows.filter((row) => row.values !== null)
  const layouts = valueCounts(feasible, 'layout')
  const select = html(
    'select',
    { id: 'filter-shape', change: (event) => state.change('filter', { layout: event.target.value }) },
    html('option', { value: '' }, `all ${layouts.length} shapes`),
    layouts.map(([layout, count]) => html('option', { value: layout }, `${layout} (${count})`)),
  )
  byId('filters').replaceChildren(
    checkboxes('Backend', 'backend', backendName, valueCounts(feasible, 'backend'), state, (backend) =>
      html('span', { class: 'swatch', 'data-series': model.series.get(backend) ?? 0 }),
    ),
    checkboxes('Mode', 'mode', modeName, valueCounts(feasible, 'mode'), state, (mode) =>
      html('span', { class: mode === 'disagg' ? 'shape-mark square' : 'shape-mark' }),
    ),
    html('fieldset', null, html('legend', null, html('label', { for: 'filter-shape' }, 'Shape')), select),
  )
}

/** Options of the axis menus; `chosen` is the axis shown first. */
export function buildAxisMenu(id, axes, chosen) {
  byId(id).replaceChildren(
    ...axes.map((axis) => html('option', { value: axis.key, selected: axis.key === chosen.key }, axis.label)),
  )
}

/** Everything that an axis can show: objectives, kept metrics, GPUs, and the order of trials. */
export function axesOf(payload) {
  const better = (direction) => (direction === 'maximize' ? 'higher is better' : 'lower is better')
  const objectives = payload.objectives.map((objective) => ({
    key: objective.name,
    label: objective.label,
    unit: objective.unit,
    direction: objective.direction,
    title: `${objective.label}, ${objective.unit}`,
    better: better(objective.direction),
  }))
  const others = [
    { key: 'used_gpus', label: 'GPUs used', unit: 'GPUs', title: 'GPUs used' },
    { key: 'trial', label: 'Trial number', unit: '', title: 'Trial number, in the order asked' },
    ...payload.measures.map(({ name, label, unit }) => ({
      key: name,
      label,
      unit,
      title: unit === '' ? label : `${label}, ${unit}`,
    })),
  ]
  return [...objectives, ...others]
}
