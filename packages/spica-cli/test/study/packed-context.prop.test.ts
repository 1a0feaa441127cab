import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson, contentHash } from '../../src/study/canonical-json.js'
import { packContext, unpackContext } from '../../src/study/packed-context.js'
import { columnBytes, columnFromBytes, describeContext } from '../../src/study/study-context.js'

describe('a packed context', () => {
  it('comes back the same, its columns in shared memory', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })),
        fc.array(fc.double()),
        fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), fc.oneof(fc.string(), fc.integer(), fc.constant(null))),
        (ints, doubles, plain) => {
          const value = { plain, deep: [{ ints: Int32Array.from(ints) }], doubles: Float64Array.from(doubles) }
          const packed = packContext(value)
          expect(unpackContext(packed)).toEqual(value)
          for (const column of Object.values(packed.columns)) expect(column.buffer).toBeInstanceOf(SharedArrayBuffer)
          for (const column of Object.values(packed.columns))
            expect(columnFromBytes(column.constructor.name as 'Int32Array', columnBytes(column).slice())).toEqual(
              column,
            )
        },
      ),
    )
  })

  it('has a hash of its content alone', () => {
    const hash = (tokens: number[]) => describeContext(packContext({ b: 1, a: Int32Array.from(tokens) })).hash
    expect(hash([1, 2])).toBe(hash([1, 2]))
    expect(hash([1, 2])).not.toBe(hash([2, 1]))
    expect(contentHash({ a: 1, b: { d: 2, c: [3] } })).toBe(contentHash({ b: { c: [3], d: 2 }, a: 1 }))
    expect(canonicalJson({ b: 1, a: [2, { d: 1, c: 2 }] })).toBe('{"a":[2,{"c":2,"d":1}],"b":1}')
  })
})
