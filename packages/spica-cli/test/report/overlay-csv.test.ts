import { SpicaError } from '@spica/schema'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_OVERLAY_POINTS, parseOverlayCsv } from '../../src/report/overlay-csv.js'

const OBJECTIVES = ['throughput_per_gpu', 'throughput_per_user']
const parse = (text: string) => parseOverlayCsv('points.csv', text, OBJECTIVES)

function errorOf(text: string): SpicaError {
  try {
    parse(text)
  } catch (error) {
    if (error instanceof SpicaError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

describe('parseOverlayCsv', () => {
  it('reads objectives by column name and leaves other columns alone', () => {
    const overlay = parse('name,tp,throughput_per_user,throughput_per_gpu\n"a ""b"", c",8,40.5,1.2e3\r\n\r\nd,4,,7\n')
    expect(overlay).toEqual({
      label: 'points.csv',
      points: [
        { label: 'a "b", c', values: { throughput_per_gpu: 1200, throughput_per_user: 40.5 } },
        { label: 'd', values: { throughput_per_gpu: 7 } },
      ],
    })
  })

  it('names points by rank or number where they have no name', () => {
    expect(parse('rank,throughput_per_gpu\n3,1').points[0]?.label).toBe('candidate 3')
    expect(parse('throughput_per_gpu\n1\n2').points[1]?.label).toBe('point 2')
  })

  it.each([
    ['', 'empty-overlay', 1, 1],
    ['throughput_per_gpu\n', 'empty-overlay', 2, 1],
    ['name,tokens\na,1\n', 'no-objective-column', 1, 1],
    ['name,throughput_per_gpu\na,1\nb,fast\n', 'not-a-number', 3, 3],
    ['name,throughput_per_gpu\na,Infinity\n', 'not-a-number', 2, 3],
    ['name,throughput_per_gpu\na,0x10\n', 'not-a-number', 2, 3],
    ['name,throughput_per_gpu\na\n', 'wrong-cell-count', 2, 1],
    ['name,throughput_per_gpu\na,1,2\n', 'wrong-cell-count', 2, 3],
    ['name,throughput_per_gpu\na,\n', 'empty-point', 2, 1],
    ['name,throughput_per_gpu\n"a,1\n', 'open-quote', 2, 1],
    ['name,throughput_per_gpu\n"a"b,1\n', 'text-after-quote', 2, 4],
    ['throughput_per_gpu,throughput_per_gpu\n1,2\n', 'repeated-column', 1, 20],
  ])('locates the mistake in %j', (text, code, line, column) => {
    const error = errorOf(text)
    expect(error).toMatchObject({ kind: 'input', code, location: { file: 'points.csv', line, column } })
    expect(error.message).toContain(`points.csv:${line}:${column}: `)
  })

  it('counts lines inside quoted cells', () => {
    expect(errorOf('name,throughput_per_gpu\n"a\nb",1\nc,x\n').location).toMatchObject({ line: 4, column: 3 })
  })

  it('refuses more points than a plot can show', () => {
    const error = errorOf(`throughput_per_gpu\n${'1\n'.repeat(MAX_OVERLAY_POINTS + 1)}`)
    expect(error.code).toBe('too-many-points')
  })

  it('reads or refuses any text, and nothing but finite numbers gets through', () => {
    const piece = fc.constantFrom('a', '"', ',', '\n', '\r\n', '1', '.', '-', 'NaN', ' ')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        try {
          for (const { values } of parse(`throughput_per_gpu,name\n${pieces.join('')}`).points)
            for (const value of Object.values(values)) expect(Number.isFinite(value)).toBe(true)
        } catch (error) {
          expect(error).toBeInstanceOf(SpicaError)
        }
      }),
    )
  })
})
