interface Queued {
  readonly request: number
  readonly strict: number
  readonly score: number
  readonly sequence: number
}

function precedes(a: Queued, b: Queued): boolean {
  if (a.strict !== b.strict) return a.strict > b.strict
  if (a.score !== b.score) return a.score > b.score
  return a.sequence < b.sequence
}

/** Requests held back by the router: strict priority first, then the policy's score, then first come. */
export class RouterQueue {
  private readonly items: Queued[] = []
  private sequence = 0
  private readonly policy: 'fcfs' | 'lcfs' | 'wspt'

  constructor(policy: 'fcfs' | 'lcfs' | 'wspt') {
    this.policy = policy
  }

  get count(): number {
    return this.items.length
  }

  push(request: number, strict: number, jump: number, missingTokens: number, nowMs: number): void {
    const score =
      this.policy === 'wspt'
        ? (1 + jump) / missingTokens
        : this.policy === 'lcfs'
          ? jump + nowMs / 1000
          : jump - nowMs / 1000
    const item = { request, strict, score, sequence: this.sequence++ }
    const { items } = this
    let index = items.length
    items.push(item)
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (!precedes(item, items[parent]!)) break
      items[index] = items[parent]!
      index = parent
    }
    items[index] = item
  }

  /** The best request, removed. */
  pop(): number {
    const { items } = this
    const best = items[0]!
    const last = items.pop()!
    if (items.length > 0) {
      let index = 0
      for (;;) {
        let child = 2 * index + 1
        if (child >= items.length) break
        if (child + 1 < items.length && precedes(items[child + 1]!, items[child]!)) child++
        if (!precedes(items[child]!, last)) break
        items[index] = items[child]!
        index = child
      }
      items[index] = last
    }
    return best.request
  }
}
