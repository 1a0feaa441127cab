import { CholeskyDecomposition, inverse, Matrix } from 'ml-matrix'
import { describe, expect, it } from 'vitest'
import { choleskyInPlace, gramOfLower, invertLower } from '../../src/linalg/cholesky.js'
import {
  lowerTimesBlockNorms,
  lowerTimesVector,
  lowerTransposeTimesVector,
} from '../../src/linalg/triangular-product.js'
import { Rng } from '../../src/random/rng.js'

/** A random positive definite matrix, in a flat array of longer rows whose upper triangle is poisoned. */
function random(n: number, stride: number): { matrix: Matrix; flat: Float64Array } {
  const rng = new Rng(n)
  const root = Matrix.zeros(n, n).apply(function (this: Matrix, i, j) {
    this.set(i, j, rng.normal())
  })
  const matrix = root.mmul(root.transpose()).add(Matrix.eye(n).mul(0.1))
  const flat = new Float64Array(n * stride).fill(Number.NaN)
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      flat[i * stride + j] = matrix.get(i, j)
      matrix.set(j, i, matrix.get(i, j))
    }
  }
  return { matrix, flat }
}

describe('choleskyInPlace and its inverses', () => {
  it('equal those of ml-matrix for all tile remainders', () => {
    for (const n of [1, 2, 3, 4, 5, 7, 8, 11, 16, 30, 33]) {
      const stride = n + 3
      const { matrix, flat } = random(n, stride)
      expect(choleskyInPlace(flat, n, stride)).toBe(true)
      const lower = new CholeskyDecomposition(matrix).lowerTriangularMatrix
      const inverted = new Float64Array(n * stride)
      invertLower(flat, inverted, n, stride)
      const gram = new Float64Array(n * stride)
      gramOfLower(inverted, gram, n, stride)
      const [lowerInverse, fullInverse] = [inverse(lower), inverse(matrix)]
      for (let i = 0; i < n; i++) {
        for (let j = 0; j <= i; j++) {
          expect(flat[i * stride + j]).toBeCloseTo(lower.get(i, j), 9)
          expect(inverted[i * stride + j]).toBeCloseTo(lowerInverse.get(i, j), 6)
          expect(gram[i * stride + j]! / Math.max(1, fullInverse.max())).toBeCloseTo(
            fullInverse.get(i, j) / Math.max(1, fullInverse.max()),
            7,
          )
        }
      }
    }
  })

  it('refuses matrices that are not positive definite', () => {
    expect(choleskyInPlace(Float64Array.from([1, 0, 2, 1]), 2, 2)).toBe(false)
    expect(choleskyInPlace(Float64Array.from([0]), 1, 1)).toBe(false)
    expect(choleskyInPlace(Float64Array.from([Number.NaN]), 1, 1)).toBe(false)
  })
})

describe('triangular products', () => {
  it('equal plain sums', () => {
    for (const n of [1, 2, 5, 8, 13]) {
      const rng = new Rng(n, 7)
      const stride = n + 1
      const w = Float64Array.from({ length: n * stride }, () => rng.normal())
      const vectors = Float64Array.from({ length: 6 * stride }, () => rng.normal())
      const norms = new Float64Array(6)
      lowerTimesBlockNorms(w, n, stride, vectors, stride, 6, norms)
      for (let b = 0; b < 6; b++) {
        const product = new Float64Array(n)
        lowerTimesVector(w, n, stride, vectors, b * stride, product)
        const expected = Array.from({ length: n }, (_, i) => {
          let s = 0
          for (let j = 0; j <= i; j++) s += w[i * stride + j]! * vectors[b * stride + j]!
          return s
        })
        expected.forEach((v, i) => {
          expect(product[i]).toBeCloseTo(v, 10)
        })
        expect(norms[b]).toBeCloseTo(
          expected.reduce((s, v) => s + v * v, 0),
          9,
        )
        const back = new Float64Array(n)
        lowerTransposeTimesVector(w, n, stride, product, back)
        for (let j = 0; j < n; j++) {
          let s = 0
          for (let i = j; i < n; i++) s += w[i * stride + j]! * product[i]!
          expect(back[j]).toBeCloseTo(s, 8)
        }
      }
    }
  })
})
