/** One learned pass: features (1 or 2 token counts) and its time in ms. */
export interface PassSample {
  readonly features: readonly number[]
  readonly ms: number
}

/**
 * A bounded set of samples spread over the feature space. Each axis is cut into equal buckets between the smallest and largest
 * feature ever seen; when the store is over capacity, the oldest sample of the fullest bucket goes (the lowest bucket index
 * on ties), so that steady traffic at one operating point cannot push out the rest of the surface.
 */
export class SampleStore {
  private samples: PassSample[] = []
  private readonly low: number[]
  private readonly high: number[]
  private readonly bucketsPerAxis: number

  /**
   * @param dimensions 1 or 2
   * @param capacity samples kept
   * @param bucketCount buckets in all; a 2-D store has √bucketCount along each axis
   */
  constructor(
    readonly dimensions: number,
    private readonly capacity: number,
    bucketCount: number,
  ) {
    this.low = new Array<number>(dimensions).fill(Number.POSITIVE_INFINITY)
    this.high = new Array<number>(dimensions).fill(Number.NEGATIVE_INFINITY)
    this.bucketsPerAxis = dimensions === 1 ? bucketCount : Math.floor(Math.sqrt(bucketCount))
  }

  get size(): number {
    return this.samples.length
  }

  /** Samples, oldest first. */
  all(): readonly PassSample[] {
    return this.samples
  }

  add(sample: PassSample): void {
    sample.features.forEach((value, axis) => {
      this.low[axis] = Math.min(this.low[axis], value)
      this.high[axis] = Math.max(this.high[axis], value)
    })
    this.samples.push(sample)
    if (this.samples.length > this.capacity) this.retireOne()
  }

  private bucketOf(sample: PassSample): number {
    let bucket = 0
    for (let axis = 0; axis < this.dimensions; axis++) {
      const span = this.high[axis] - this.low[axis]
      const position =
        span > 0 ? Math.trunc(((sample.features[axis] - this.low[axis]) / span) * this.bucketsPerAxis) : 0
      bucket = bucket * this.bucketsPerAxis + Math.min(this.bucketsPerAxis - 1, Math.max(0, position))
    }
    return bucket
  }

  private retireOne(): void {
    const counts = new Map<number, number>()
    const buckets = this.samples.map((sample) => this.bucketOf(sample))
    for (const bucket of buckets) counts.set(bucket, (counts.get(bucket) ?? 0) + 1)
    let fullest = -1
    let most = 0
    for (const [bucket, count] of counts) {
      if (count > most || (count === most && bucket < fullest)) {
        fullest = bucket
        most = count
      }
    }
    this.samples.splice(buckets.indexOf(fullest), 1)
  }
}
