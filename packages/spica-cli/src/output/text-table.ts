/** Aligned plain-text table. Numbers line up on the right, everything else on the left. */
export function textTable(head: readonly string[], rows: readonly (readonly (string | number | null)[])[]): string {
  const cells = rows.map((row) => row.map((cell) => (cell === null ? '-' : String(cell))))
  const widths = head.map((name, column) => Math.max(name.length, ...cells.map((row) => (row[column] ?? '').length)))
  const numeric = head.map((_, column) => rows.every((row) => row[column] === null || typeof row[column] === 'number'))
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => {
        const width = widths[column] as number
        return numeric[column] ? cell.padStart(width) : cell.padEnd(width)
      })
      .join('  ')
      .trimEnd()
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...cells.map(line)].join('\n')
}

/** A number with `digits` significant digits and no exponent for everyday sizes. */
export function significant(value: number, digits = 5): number {
  return Number(value.toPrecision(digits))
}
