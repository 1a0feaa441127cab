/** What stands inside the plotting area: points, the line of the best, overlaid points. */

import { formatNumber, frontSteps } from './axis.js'
import { svg } from './dom.js'
import { rowName } from './model.js'
import { MARGIN, markerPath, OVERLAY_MARK } from './plot-frame.js'

/** A row in one sentence, for screen readers. */
export function describeRow(row, objectives) {
  const figures = objectives.map(({ name, label, unit }) => `${label} ${formatNumber(row.values[name])} ${unit}`)
  return `${rowName(row)}, ${row.backend} ${row.mode} ${row.shape}: ${figures.join(', ')}`
}

/** Marks of points by trial, the best on top. */
export function drawMarks(points, model) {
  const { kind, objectives } = model.payload
  const marks = new Map()
  const ordered = [...points].sort((a, b) => (b.row.rank ?? 1e9) - (a.row.rank ?? 1e9))
  for (const { row, px, py } of ordered) {
    const strong = row.rank !== null && (kind === 'front' || row.rank === 1)
    const mark = svg('path', {
      class: `mark${strong ? ' strong' : ''}`,
      d: markerPath(row.mode, strong ? 5.5 : 3.6),
      transform: `translate(${px.toFixed(1)} ${py.toFixed(1)})`,
      'data-series': model.series.get(row.backend) ?? 0,
      'data-trial': row.id,
      role: 'button',
      tabindex: -1,
      'aria-label': describeRow(row, objectives),
    })
    marks.set(row.id, mark)
  }
  return marks
}

/** The boundary of a front of two objectives, or the best value so far; null on axes that have neither. */
export function drawBoundary(points, view, axes, payload) {
  const { x, y } = view
  let corners = []
  if (payload.kind === 'front') {
    if (x.direction === undefined || y.direction === undefined || x === y || payload.objectives.length !== 2)
      return null
    const members = points.filter(({ row }) => row.rank !== null).map((point) => [point.x, point.y])
    corners = frontSteps(members, x.direction === 'maximize', y.direction === 'maximize')
  } else if (x.key === 'trial' && y.direction !== undefined) corners = bestSoFar(points, y.direction)
  if (corners.length < 2) return null
  return svg('polyline', {
    class: 'boundary',
    points: corners.map(([cx, cy]) => `${axes.x.at(cx).toFixed(1)},${axes.y.at(cy).toFixed(1)}`).join(' '),
  })
}

function bestSoFar(points, direction) {
  const corners = []
  const ordered = [...points].sort((a, b) => a.x - b.x)
  let best = null
  for (const point of ordered) {
    if (best !== null && !(direction === 'maximize' ? point.y > best : point.y < best)) continue
    if (best !== null) corners.push([point.x, best])
    corners.push([point.x, point.y])
    best = point.y
  }
  if (best !== null) corners.push([ordered[ordered.length - 1].x, best])
  return corners
}

/** An overlaid point, or a line across where it has no value on the horizontal axis. */
export function drawOverlay(point, axes, width) {
  const y = axes.y.at(point.y)
  if (point.x === undefined)
    return svg('line', { class: 'overlay', x1: MARGIN.left, x2: width - MARGIN.right, y1: y, y2: y })
  return svg('path', { class: 'overlay', d: OVERLAY_MARK, transform: `translate(${axes.x.at(point.x)} ${y})` })
}
