/** Requests by (ready time, session, turn). */
export class RequestHeap {
  topMs: number = Number.POSITIVE_INFINITY
  private readonly times: number[] = []
  private readonly requests: number[] = []
  private readonly session: Int32Array
  private readonly turn: Int32Array

  constructor(session: Int32Array, turn: Int32Array) {
    this.session = session
    this.turn = turn
  }

  get size(): number {
    return this.times.length
  }

  /** True when the top comes before `request` at the same time. */
  precedes(request: number): boolean {
    const top = this.requests[0]!
    const difference = this.session[top]! - this.session[request]!
    return difference !== 0 ? difference < 0 : this.turn[top]! < this.turn[request]!
  }

  push(request: number, timeMs: number): void {
    const { times, requests } = this
    let index = times.length
    times.push(timeMs)
    requests.push(request)
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (!this.isBefore(timeMs, request, times[parent]!, requests[parent]!)) break
      times[index] = times[parent]!
      requests[index] = requests[parent]!
      index = parent
    }
    times[index] = timeMs
    requests[index] = request
    this.topMs = times[0]!
  }

  pop(): number {
    const { times, requests } = this
    const result = requests[0]!
    const timeMs = times.pop()!
    const request = requests.pop()!
    if (times.length > 0) this.place(timeMs, request)
    this.topMs = times.length > 0 ? times[0]! : Number.POSITIVE_INFINITY
    return result
  }

  private place(timeMs: number, request: number): void {
    const { times, requests } = this
    let index = 0
    for (;;) {
      let child = 2 * index + 1
      if (child >= times.length) break
      const other = child + 1
      if (other < times.length && this.isBefore(times[other]!, requests[other]!, times[child]!, requests[child]!))
        child = other
      if (!this.isBefore(times[child]!, requests[child]!, timeMs, request)) break
      times[index] = times[child]!
      requests[index] = requests[child]!
      index = child
    }
    times[index] = timeMs
    requests[index] = request
  }

  private isBefore(aMs: number, a: number, bMs: number, b: number): boolean {
    if (aMs !== bMs) return aMs < bMs
    const difference = this.session[a]! - this.session[b]!
    return difference !== 0 ? difference < 0 : this.turn[a]! < this.turn[b]!
  }
}
