/** Axes, grid and labels of the scatter plot. */

import { formatTick, linearTicks, logTicks } from './axis.js'
import { svg } from './dom.js'

/** Space around the plotting area, pixels. */
export const MARGIN = { left: 68, right: 18, top: 14, bottom: 50 }

/** Grid, ticks and titles; scales map data to pixels. */
export function drawFrame(width, height, x, y) {
  const right = width - MARGIN.right
  const bottom = height - MARGIN.bottom
  const ticksOf = (axis, count) => (axis.log ? logTicks : linearTicks)(axis.range[0], axis.range[1], count)
  const xs = ticksOf(x, Math.max(3, Math.round(width / 110)))
  const ys = ticksOf(y, Math.max(3, Math.round(height / 60)))
  return svg(
    'g',
    { class: 'frame', 'aria-hidden': 'true' },
    xs.map((tick) => [
      svg('line', { class: 'grid', x1: x.at(tick), x2: x.at(tick), y1: MARGIN.top, y2: bottom }),
      svg('text', { class: 'tick', x: x.at(tick), y: bottom + 18, 'text-anchor': 'middle' }, formatTick(tick)),
    ]),
    ys.map((tick) => [
      svg('line', { class: 'grid', x1: MARGIN.left, x2: right, y1: y.at(tick), y2: y.at(tick) }),
      svg('text', { class: 'tick', x: MARGIN.left - 8, y: y.at(tick) + 4, 'text-anchor': 'end' }, formatTick(tick)),
    ]),
    svg('line', { class: 'axis', x1: MARGIN.left, x2: right, y1: bottom, y2: bottom }),
    svg('line', { class: 'axis', x1: MARGIN.left, x2: MARGIN.left, y1: MARGIN.top, y2: bottom }),
    svg(
      'text',
      { class: 'axis-title', x: (MARGIN.left + right) / 2, y: height - 10, 'text-anchor': 'middle' },
      x.title,
    ),
    svg(
      'text',
      {
        class: 'axis-title',
        'text-anchor': 'middle',
        transform: `translate(15 ${(MARGIN.top + bottom) / 2}) rotate(-90)`,
      },
      y.title,
    ),
  )
}

/** Path of a marker of `radius` about the origin: a square for disaggregated deployments, a disc for others. */
export function markerPath(mode, radius) {
  const r = radius
  if (mode === 'disagg') return `M${-r * 0.9} ${-r * 0.9}h${r * 1.8}v${r * 1.8}h${-r * 1.8}z`
  return `M${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`
}

/** Path of the marker of an overlaid point. */
export const OVERLAY_MARK = 'M0 -6L6 0L0 6L-6 0z'
