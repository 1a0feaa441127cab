/** Small charts over simulated time. */

import { formatTick, linearTicks, scaleOf } from './axis.js'
import { html, svg } from './dom.js'

const WIDTH = 520
const HEIGHT = 150
const LEFT = 44
const RIGHT = 10
const TOP = 10
const BOTTOM = 26

/** One chart of `series` ({name, times in ms, values, dashed}); `percent` fixes the axis to 0…100 %. */
export function timeChart(title, series, { percent = false, stepped = false, marks = [] } = {}) {
  const lastMs = Math.max(1, ...series.flatMap(({ times }) => times.slice(-1)))
  const top = percent ? 1 : Math.max(1, ...series.flatMap(({ values }) => values))
  const x = scaleOf([0, lastMs], LEFT, WIDTH - RIGHT, false)
  const y = scaleOf([0, percent ? 1 : top * 1.06], HEIGHT - BOTTOM, TOP, false)
  const unit = lastMs >= 7_200_000 ? [3_600_000, 'h'] : lastMs >= 300_000 ? [60_000, 'min'] : [1000, 's']
  const yTicks = percent ? [0, 0.5, 1] : linearTicks(0, top, 3)
  const label = (value) => (percent ? `${value * 100} %` : formatTick(value))
  const path = ({ times, values }) =>
    times
      .map((time, index) => {
        const at = `${x(time).toFixed(1)} ${y(values[index]).toFixed(1)}`
        if (index === 0) return `M${at}`
        return stepped ? `H${x(time).toFixed(1)}V${y(values[index]).toFixed(1)}` : `L${at}`
      })
      .join('')
  const chart = svg(
    'svg',
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': `${title} over simulated time` },
    yTicks.map((tick) => [
      svg('line', { class: 'grid', x1: LEFT, x2: WIDTH - RIGHT, y1: y(tick), y2: y(tick) }),
      svg('text', { class: 'tick', x: LEFT - 6, y: y(tick) + 4, 'text-anchor': 'end' }, label(tick)),
    ]),
    linearTicks(0, lastMs / unit[0], 5).map((tick) =>
      svg(
        'text',
        { class: 'tick', x: x(tick * unit[0]), y: HEIGHT - 8, 'text-anchor': 'middle' },
        `${formatTick(tick)} ${unit[1]}`,
      ),
    ),
    marks.map((time) => svg('line', { class: 'event', x1: x(time), x2: x(time), y1: TOP, y2: HEIGHT - BOTTOM })),
    series.map((one, index) =>
      svg('path', { class: `line${one.dashed ? ' dashed' : ''}`, 'data-series': one.series ?? index, d: path(one) }),
    ),
  )
  const legend = html(
    'div',
    { class: 'legend' },
    series.map((one, index) =>
      html(
        'span',
        null,
        html('span', { class: `swatch line-swatch${one.dashed ? ' dashed' : ''}`, 'data-series': one.series ?? index }),
        one.name,
      ),
    ),
  )
  return html('figure', { class: 'time-chart' }, html('figcaption', null, title, legend), chart)
}
