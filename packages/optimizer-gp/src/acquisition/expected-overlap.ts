import { expectedPositive, logExpectedPositive, normalCdf, normalPdf } from './normal.js'

/** One objective's axis cut at the values of the front, in the model's units, larger is better. */
export interface CutAxis {
  /** Ascending; the first is the reference point. */
  readonly edges: Float64Array
  /** User units per model unit between an edge and the next; the last is for everything above the last edge. */
  readonly slopes: Float64Array
}

/**
 * Mean length, in user units, by which a normal variable covers each interval of a cut axis (the last interval is
 * unbounded), with derivatives by its mean and standard deviation. Arrays have one number per edge.
 */
export class ExpectedOverlap {
  readonly length: Float64Array
  readonly byMean: Float64Array
  readonly bySd: Float64Array
  private readonly axis: CutAxis

  constructor(axis: CutAxis) {
    this.axis = axis
    this.length = new Float64Array(axis.edges.length)
    this.byMean = new Float64Array(axis.edges.length)
    this.bySd = new Float64Array(axis.edges.length)
  }

  update(mean: number, sd: number): void {
    const { edges, slopes } = this.axis
    let above = 0
    for (let i = edges.length - 1; i >= 0; i--) {
      const here = sd * expectedPositive((mean - edges[i]!) / sd)
      this.length[i] = slopes[i]! * Math.max(0, here - above)
      above = here
    }
  }

  updateDerivatives(mean: number, sd: number): void {
    const { edges, slopes } = this.axis
    let cdfAbove = 0
    let pdfAbove = 0
    for (let i = edges.length - 1; i >= 0; i--) {
      const u = (mean - edges[i]!) / sd
      const cdf = normalCdf(u)
      const pdf = normalPdf(u)
      this.byMean[i] = slopes[i]! * (cdf - cdfAbove)
      this.bySd[i] = slopes[i]! * (pdf - pdfAbove)
      cdfAbove = cdf
      pdfAbove = pdf
    }
  }

  /** Logarithms of `length`, without underflow. */
  logLengths(mean: number, sd: number, into: Float64Array): void {
    const { edges, slopes } = this.axis
    let above = Number.NEGATIVE_INFINITY
    for (let i = edges.length - 1; i >= 0; i--) {
      const here = logExpectedPositive((mean - edges[i]!) / sd)
      const share = above === Number.NEGATIVE_INFINITY ? 0 : Math.log1p(-Math.min(1 - 1e-16, Math.exp(above - here)))
      into[i] = Math.log(slopes[i]! * sd) + here + share
      above = here
    }
  }
}
