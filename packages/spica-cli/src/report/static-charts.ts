import { formatTick, frontSteps, linearTicks, paddedRange, scaleOf } from '../../assets/report/axis.js'
import { escapeHtml } from './escape-html.js'
import type { ProgressCurve } from './progress-curve.js'
import type { ReportData, ReportObjective } from './report-data.js'

const MARGIN = { left: 68, right: 18, top: 14, bottom: 50 }

interface Axis {
  readonly range: readonly [number, number]
  readonly title: string
}
interface Size {
  readonly width: number
  readonly height: number
}

/** Result plot for readers without scripts and for the first paint: objectives, or best value so far. */
export function staticResultPlot(data: ReportData, size: Size = { width: 960, height: 460 }): string {
  const [first, second] = data.objectives
  if (first === undefined || data.feasible.length === 0) return ''
  const byId = new Map(data.feasible.map((trial) => [trial.trial, trial.objectives]))
  const isFront = data.kind === 'front' && second !== undefined
  const point = (id: number): [number, number] => {
    const values = byId.get(id) ?? {}
    const y = values[first.name] ?? Number.NaN
    return [isFront ? (values[second.name] ?? Number.NaN) : id, y]
  }
  const all = data.feasible.map(({ trial }) => point(trial)).filter((pair) => pair.every(Number.isFinite))
  const best = data.candidates.map(({ trial }) => point(trial))
  const x = {
    range: paddedRange(
      all.map((pair) => pair[0]),
      false,
    ) ?? [0, 1],
    title: isFront ? objectiveTitle(second) : 'Trial number',
  }
  const y = {
    range: paddedRange(
      all.map((pair) => pair[1]),
      false,
    ) ?? [0, 1],
    title: objectiveTitle(first),
  }
  const line = isFront
    ? frontSteps(best, second.direction === 'maximize', first.direction === 'maximize')
    : steps(data.progress?.points ?? [])
  const at = placer(x.range as Axis['range'], y.range as Axis['range'], size)
  const marked = isFront ? best : best.slice(0, 1)
  const body =
    `<path class="cloud" d="${all.map((pair) => `M${at(pair)}h0`).join('')}"/>` +
    polyline(line, at) +
    `<path class="cloud strong" d="${marked.map((pair) => `M${at(pair)}h0`).join('')}"/>`
  return frame(x as Axis, y as Axis, size, body, `${y.title} against ${x.title}`)
}

/** Chart of the best found so far. */
export function staticProgressChart(curve: ProgressCurve, size: Size = { width: 960, height: 240 }): string {
  const last = curve.points[curve.points.length - 1]?.[0] ?? 1
  const values = curve.points.map((pair) => pair[1])
  const x: Axis = { range: [0, Math.max(1, last)], title: 'Trials finished' }
  const y: Axis = {
    range: paddedRange([0, ...values], false) ?? [0, 1],
    title: curve.unit === '' ? 'value' : curve.unit,
  }
  return frame(x, y, size, polyline(curve.points, placer(x.range, y.range, size)), `${curve.label}, by trials finished`)
}

function objectiveTitle(objective: ReportObjective): string {
  const better = objective.direction === 'maximize' ? 'higher is better' : 'lower is better'
  return `${objective.label}, ${objective.unit} (${better})`
}

function steps(points: readonly (readonly [number, number])[]): [number, number][] {
  return points.flatMap((point, index): [number, number][] => {
    const before = points[index - 1]
    const here: [number, number] = [point[0], point[1]]
    return before === undefined || before[1] === point[1] ? [here] : [[point[0], before[1]], here]
  })
}

function placer(
  x: Axis['range'],
  y: Axis['range'],
  { width, height }: Size,
): (pair: readonly [number, number]) => string {
  const left = scaleOf(x, MARGIN.left, width - MARGIN.right, false)
  const top = scaleOf(y, height - MARGIN.bottom, MARGIN.top, false)
  return ([px, py]) => `${left(px).toFixed(1)} ${top(py).toFixed(1)}`
}

function polyline(
  points: readonly (readonly [number, number])[],
  at: (pair: readonly [number, number]) => string,
): string {
  if (points.length < 2) return ''
  return `<polyline class="boundary" points="${points.map(at).join(' ')}"/>`
}

function frame(x: Axis, y: Axis, { width, height }: Size, body: string, label: string): string {
  const right = width - MARGIN.right
  const bottom = height - MARGIN.bottom
  const left = scaleOf(x.range, MARGIN.left, right, false)
  const top = scaleOf(y.range, bottom, MARGIN.top, false)
  const columns = linearTicks(x.range[0], x.range[1], 7).map((tick) => {
    const at = left(tick).toFixed(1)
    return `<line class="grid" x1="${at}" x2="${at}" y1="${MARGIN.top}" y2="${bottom}"/><text class="tick" x="${at}" y="${bottom + 18}" text-anchor="middle">${formatTick(tick)}</text>`
  })
  const rows = linearTicks(y.range[0], y.range[1], Math.max(3, Math.round(height / 70))).map((tick) => {
    const at = top(tick).toFixed(1)
    return `<line class="grid" x1="${MARGIN.left}" x2="${right}" y1="${at}" y2="${at}"/><text class="tick" x="${MARGIN.left - 8}" y="${Number(at) + 4}" text-anchor="end">${formatTick(tick)}</text>`
  })
  return (
    `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeHtml(label)}">` +
    `${columns.join('')}${rows.join('')}` +
    `<line class="axis" x1="${MARGIN.left}" x2="${right}" y1="${bottom}" y2="${bottom}"/>` +
    `<line class="axis" x1="${MARGIN.left}" x2="${MARGIN.left}" y1="${MARGIN.top}" y2="${bottom}"/>` +
    `<text class="axis-title" x="${(MARGIN.left + right) / 2}" y="${height - 10}" text-anchor="middle">${escapeHtml(x.title)}</text>` +
    `<text class="axis-title" text-anchor="middle" transform="translate(15 ${(MARGIN.top + bottom) / 2}) rotate(-90)">${escapeHtml(y.title)}</text>` +
    `${body}</svg>`
  )
}
