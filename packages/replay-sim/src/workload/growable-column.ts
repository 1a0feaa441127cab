/** An append-only column of 32-bit integers that grows by half; memory is one typed array. */
export class IntegerColumn {
  values: Int32Array
  length: number = 0

  constructor(capacity: number = 1024) {
    this.values = new Int32Array(capacity)
  }

  push(value: number): void {
    if (this.length === this.values.length) this.grow()
    this.values[this.length++] = value
  }

  /** A copy of exactly the pushed values. */
  toArray(): Int32Array {
    return this.values.slice(0, this.length)
  }

  private grow(): void {
    const larger = new Int32Array(this.values.length + (this.values.length >>> 1) + 16)
    larger.set(this.values)
    this.values = larger
  }
}

/** An append-only column of doubles that grows by half. */
export class NumberColumn {
  values: Float64Array
  length: number = 0

  constructor(capacity: number = 1024) {
    this.values = new Float64Array(capacity)
  }

  push(value: number): void {
    if (this.length === this.values.length) {
      const larger = new Float64Array(this.values.length + (this.values.length >>> 1) + 16)
      larger.set(this.values)
      this.values = larger
    }
    this.values[this.length++] = value
  }

  /** A copy of exactly the pushed values. */
  toArray(): Float64Array {
    return this.values.slice(0, this.length)
  }
}
