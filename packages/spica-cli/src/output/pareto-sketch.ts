/** One axis of a sketch. */
export interface SketchAxis {
  readonly title: string
  readonly values: readonly number[]
}

/** Columns and rows of the plotting area. */
const WIDTH = 60
const HEIGHT = 16

/**
 * A scatter plot in plain text: `o` for one point, `O` where several share a cell, and the range of both axes. Empty
 * for fewer than two points, for values that are not finite, and on terminals narrower than 40 columns.
 */
export function paretoSketch(x: SketchAxis, y: SketchAxis, columns = 80): string {
  const count = Math.min(x.values.length, y.values.length)
  const values = [...x.values.slice(0, count), ...y.values.slice(0, count)]
  if (count < 2 || columns < 40 || !values.every(Number.isFinite)) return ''
  const [fromX, toX] = rangeOf(x.values.slice(0, count))
  const [fromY, toY] = rangeOf(y.values.slice(0, count))
  const top = label(toY)
  const bottom = label(fromY)
  const gutter = Math.max(top.length, bottom.length)
  const width = Math.min(WIDTH, columns - gutter - 4)
  const cells = Array.from({ length: HEIGHT }, () => new Array<string>(width).fill(' '))
  for (let index = 0; index < count; index++) {
    const column = cell(x.values[index] as number, fromX, toX, width)
    const row = cells[HEIGHT - 1 - cell(y.values[index] as number, fromY, toY, HEIGHT)] as string[]
    row[column] = row[column] === ' ' ? 'o' : 'O'
  }
  const lines = cells.map((row, index) => {
    const head = index === 0 ? top : index === HEIGHT - 1 ? bottom : ''
    return `${head.padStart(gutter)} |${row.join('')}`.trimEnd()
  })
  const left = label(fromX)
  const right = label(toX)
  const between = Math.max(1, width - left.length - right.length)
  const indent = ' '.repeat(gutter + 2)
  return [
    `${' '.repeat(gutter)} ${y.title}`,
    ...lines,
    `${' '.repeat(gutter)} +${'-'.repeat(width)}`,
    `${indent}${left}${' '.repeat(between)}${right}`,
    `${indent}${x.title}`.trimEnd(),
  ].join('\n')
}

function rangeOf(values: readonly number[]): [number, number] {
  return [Math.min(...values), Math.max(...values)]
}

/** Cell of a value among `cells`, the ends included. */
function cell(value: number, from: number, to: number, cells: number): number {
  return to > from ? Math.round(((value - from) / (to - from)) * (cells - 1)) : 0
}

function label(value: number): string {
  return String(Number(value.toPrecision(4)))
}
