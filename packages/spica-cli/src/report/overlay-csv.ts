import { SpicaError } from '@spica/schema'
import type { Overlay } from './report-data.js'

/** Most points an overlay may have. */
export const MAX_OVERLAY_POINTS = 5000
/** Columns that can name a point, in order of preference. */
const NAME_COLUMNS = ['name', 'label', 'rank']

interface Cell {
  readonly text: string
  readonly line: number
  readonly column: number
}

/**
 * Points to lay over the plot, from CSV (RFC 4180) with a header. A column named after an objective of the study holds
 * its plain values; at least one such column is needed, and an empty cell means not measured. `name`, `label` or `rank`
 * names the point. Other columns, e.g. those of a `candidates.csv`, are left alone. Every mistake is an `input` error
 * with line and column.
 */
export function parseOverlayCsv(file: string, text: string, objectives: readonly string[]): Overlay {
  const rows = splitCsv(file, text)
  const [head, ...body] = rows
  if (head === undefined) throw located(file, 1, 1, 'empty-overlay', 'the file has no header row', needed(objectives))
  const names = head.map((cell) => cell.text.trim())
  const repeated = names.findIndex((name, index) => objectives.includes(name) && names.indexOf(name) !== index)
  if (repeated !== -1) {
    const cell = head[repeated] as Cell
    throw located(file, cell.line, cell.column, 'repeated-column', `column "${cell.text}" is there twice`)
  }
  const columns = objectives.flatMap((name) => (names.includes(name) ? [{ name, at: names.indexOf(name) }] : []))
  if (columns.length === 0)
    throw located(
      file,
      1,
      1,
      'no-objective-column',
      'no column is named after an objective of this study',
      needed(objectives),
    )
  if (body.length === 0) throw located(file, 2, 1, 'empty-overlay', 'the file has no row under its header')
  if (body.length > MAX_OVERLAY_POINTS)
    throw located(file, MAX_OVERLAY_POINTS + 2, 1, 'too-many-points', `more than ${MAX_OVERLAY_POINTS} points`)
  const nameAt = NAME_COLUMNS.map((name) => names.indexOf(name)).find((index) => index !== -1) ?? -1
  const points = body.map((row, index) => {
    checkWidth(file, row, names.length)
    const values = Object.fromEntries(columns.flatMap(({ name, at }) => numberIn(file, row[at] as Cell, name)))
    if (Object.keys(values).length === 0)
      throw located(file, (row[0] as Cell).line, 1, 'empty-point', 'the row has no value for any objective')
    const label = row[nameAt]?.text.trim() ?? ''
    return {
      label: label === '' ? `point ${index + 1}` : names[nameAt] === 'rank' ? `candidate ${label}` : label,
      values,
    }
  })
  return { label: file.split(/[\\/]/).at(-1) ?? file, points }
}

function needed(objectives: readonly string[]): string {
  return `name a column after one of: ${objectives.join(', ')}`
}

function checkWidth(file: string, row: readonly Cell[], width: number): void {
  if (row.length === width) return
  const last = row[Math.min(row.length, width) - 1] as Cell
  throw located(
    file,
    last.line,
    last.column,
    'wrong-cell-count',
    `the row has ${row.length} cells, the header ${width}`,
  )
}

function numberIn(file: string, cell: Cell, name: string): [string, number][] {
  const text = cell.text.trim()
  if (text === '') return []
  const value = Number(text)
  if (!Number.isFinite(value) || !/^[+-]?(\d|\.\d)/.test(text) || /^[+-]?0[xob]/i.test(text))
    throw located(
      file,
      cell.line,
      cell.column,
      'not-a-number',
      `${name} is "${text.slice(0, 40)}", not a finite number`,
    )
  return [[name, value]]
}

/** Rows of cells with their positions; blank lines are skipped. */
function splitCsv(file: string, text: string): Cell[][] {
  const rows: Cell[][] = []
  let row: Cell[] = []
  let line = 1
  let lineStart = 0
  let at = 0
  while (at < text.length) {
    const start = { line, column: at - lineStart + 1 }
    let cell = ''
    if (text[at] === '"') {
      at++
      for (;;) {
        if (at >= text.length) throw located(file, start.line, start.column, 'open-quote', 'the quote is never closed')
        if (text[at] === '"' && text[at + 1] === '"') at += 2
        else if (text[at] === '"') break
        else {
          if (text[at] === '\n') [line, lineStart] = [line + 1, at + 1]
          cell += text[at++]
          continue
        }
        cell += '"'
      }
      at++
      if (at < text.length && !',\r\n'.includes(text[at] as string))
        throw located(file, line, at - lineStart + 1, 'text-after-quote', 'text stands after a closing quote')
    } else {
      const from = at
      while (at < text.length && !',\r\n'.includes(text[at] as string)) at++
      cell = text.slice(from, at)
    }
    row.push({ text: cell, ...start })
    if (text[at] === ',') {
      at++
      if (at === text.length) row.push({ text: '', line, column: at - lineStart + 1 })
      continue
    }
    if (text[at] === '\r' && text[at + 1] === '\n') at++
    at++
    if (row.length > 1 || (row[0] as Cell).text.trim() !== '') rows.push(row)
    row = []
    line++
    lineStart = at
  }
  if (row.length > 0) rows.push(row)
  return rows
}

function located(file: string, line: number, column: number, code: string, message: string, hint?: string): SpicaError {
  return new SpicaError('input', code, `${file}:${line}:${column}: ${message}`, {
    location: { file, line, column },
    ...(hint === undefined ? {} : { hint }),
  })
}
