import { describe, expect, it } from 'vitest'
import { readPerfPoints } from '../../src/inputs/perf-points-file.js'
import { workspace } from '../support/run-spica.js'

function read(text: string) {
  const at = workspace({ 'points.csv': text })
  try {
    return readPerfPoints(at.path('points.csv'))
  } finally {
    at.remove()
  }
}

describe('perf_points.csv', () => {
  it('reads both phases, columns in any order', () => {
    expect(read('ms,phase,batch,isl,context\r\n26.1,prefill,1,1024,\r\n7.5,decode,8,,2048\r\n')).toEqual([
      { phase: 'prefill', batch: 1, isl: 1024, prefix: 0, ms: 26.1 },
      { phase: 'decode', batch: 8, context: 2048, ms: 7.5 },
    ])
  })

  it('reports every mistake with its line', () => {
    expect(() =>
      read('phase,batch,isl,context,ms\nprefill,1,100,100,5\ndecode,0,,9,1\ndecode,1,,9,-1\nwarmup,1,1,1,1\na,b\n'),
    ).toThrow(/:2 isl: [\s\S]*:3 batch: [\s\S]*:4 ms: [\s\S]*:5 phase: [\s\S]*:6: this line has 2 cells/)
    expect(() => read('phase,batch\n')).toThrow('header')
    expect(() => read('phase,batch,isl,context,ms\n')).toThrow('no points')
  })
})
