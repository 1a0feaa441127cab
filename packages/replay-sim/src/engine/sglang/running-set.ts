import type { LazySequence } from './lazy-sequence.js'

/**
 * The decoding sequences of a rank as sums over an emission counter: one emission gives every member a token, and costs
 * nothing per member. Members are linked in the order they started running, and in buckets by finishing emission.
 */
export class RunningSet {
  count: number = 0
  /** Emissions so far. */
  emissions: number = 0
  /** Σ known tokens and Σ squares of them. */
  tokens: number = 0
  squares: number = 0
  /** Σ min(remaining output, clip). */
  reserved: number = 0
  /** Members with at most `clip` tokens to go: each emission takes one off their reserve. */
  nearCount: number = 0
  head: LazySequence | null = null
  private tail: LazySequence | null = null
  private ordered: number = 0
  private readonly pageSize: number
  private readonly clip: number
  private readonly mask: number
  /** Members by (known tokens − emissions) mod page size. */
  private readonly classes: Int32Array
  private readonly finishing: (LazySequence | null)[]
  private readonly finishingTail: (LazySequence | null)[]
  private readonly becomingNear: Int32Array
  private readonly crossingCounts: Int32Array
  private readonly crossing: Map<number, LazySequence[]> = new Map()

  constructor(pageSize: number, clip: number, longestOutput: number) {
    this.pageSize = pageSize
    this.clip = clip
    let size = 64
    while (size < Math.max(longestOutput, pageSize) + 2) size *= 2
    this.mask = size - 1
    this.classes = new Int32Array(pageSize)
    this.finishing = new Array<LazySequence | null>(size).fill(null)
    this.finishingTail = new Array<LazySequence | null>(size).fill(null)
    this.becomingNear = new Int32Array(size)
    this.crossingCounts = new Int32Array(size)
  }

  /** Generated tokens of a running member. */
  produced(member: LazySequence): number {
    return this.emissions + member.offset
  }

  known(member: LazySequence): number {
    return member.promptTokens + this.emissions + member.offset
  }

  /** A sequence with output to generate starts running. */
  add(member: LazySequence): void {
    const known = member.promptTokens + member.produced
    member.offset = member.produced - this.emissions
    member.finishAt = member.limit - member.offset
    member.order = this.ordered++
    member.joinedAt = this.emissions + 1
    member.crossingAt = 0
    member.running = true
    member.previous = this.tail
    member.next = null
    if (this.tail === null) this.head = member
    else this.tail.next = member
    this.tail = member
    const bucket = member.finishAt & this.mask
    const last = this.finishingTail[bucket]!
    member.previousInBucket = last
    member.nextInBucket = null
    if (last === null) this.finishing[bucket] = member
    else last.nextInBucket = member
    this.finishingTail[bucket] = member
    this.count++
    this.tokens += known
    this.squares += known * known
    this.classes[this.classOf(member)]!++
    const remaining = member.limit - member.produced
    this.reserved += Math.min(remaining, this.clip)
    if (remaining <= this.clip) this.nearCount++
    else this.becomingNear[(member.finishAt - this.clip) & this.mask]!++
  }

  remove(member: LazySequence): void {
    member.running = false
    const { previous, next, previousInBucket, nextInBucket } = member
    if (previous === null) this.head = next
    else previous.next = next
    if (next === null) this.tail = previous
    else next.previous = previous
    const bucket = member.finishAt & this.mask
    if (previousInBucket === null) this.finishing[bucket] = nextInBucket
    else previousInBucket.nextInBucket = nextInBucket
    if (nextInBucket === null) this.finishingTail[bucket] = previousInBucket
    else nextInBucket.previousInBucket = previousInBucket
    const known = this.known(member)
    const remaining = member.finishAt - this.emissions
    this.count--
    this.tokens -= known
    this.squares -= known * known
    this.classes[this.classOf(member)]!--
    this.reserved -= Math.min(remaining, this.clip)
    if (remaining <= this.clip) this.nearCount--
    else this.becomingNear[(member.finishAt - this.clip) & this.mask]!--
    if (member.crossingAt > this.emissions) this.crossingCounts[member.crossingAt & this.mask]!--
  }

  /** Pages that the given emission adds. */
  growthAt(emission: number): number {
    if (this.pageSize === 1) return this.count
    const first = (emission - 1) % this.pageSize
    return this.classes[first === 0 ? 0 : this.pageSize - first]!
  }

  /** Pages that the next emissions add. */
  growthOver(emissions: number): number {
    if (this.pageSize === 1) return this.count * emissions
    let pages = 0
    for (let k = 1; k <= emissions; k++) pages += this.growthAt(this.emissions + k)
    return pages
  }

  /** First member that finishes with the given emission; others follow by `nextInBucket`. */
  finishingAt(emission: number): LazySequence | null {
    return this.finishing[emission & this.mask]!
  }

  becomingNearAt(emission: number): number {
    return this.becomingNear[emission & this.mask]!
  }

  /** Whether a member's page enters the tree with the given emission in a way that others could notice. */
  hasCrossingAt(emission: number): boolean {
    return this.crossingCounts[emission & this.mask] !== 0
  }

  scheduleCrossing(member: LazySequence, emission: number): void {
    member.crossingAt = emission
    this.crossingCounts[emission & this.mask]!++
    const list = this.crossing.get(emission)
    if (list === undefined) this.crossing.set(emission, [member])
    else list.push(member)
  }

  /** Takes the members that cross with the given emission, in running order. */
  takeCrossing(emission: number): LazySequence[] {
    const list = this.crossing.get(emission)
    if (list === undefined) return NOBODY
    this.crossing.delete(emission)
    this.crossingCounts[emission & this.mask] = 0
    const members = list.filter((member) => member.running && member.crossingAt === emission)
    return members.length < 2 ? members : members.sort((a, b) => a.order - b.order)
  }

  /** Gives every member `emissions` tokens; no member finishes meanwhile. */
  advance(emissions: number): void {
    for (let done = 0; done < emissions; done++) {
      this.reserved -= this.nearCount
      this.nearCount += this.becomingNear[++this.emissions & this.mask]!
      this.becomingNear[this.emissions & this.mask] = 0
    }
    this.squares += emissions * (2 * this.tokens + emissions * this.count)
    this.tokens += emissions * this.count
  }

  private classOf(member: LazySequence): number {
    const remainder = (member.promptTokens + member.offset) % this.pageSize
    return remainder < 0 ? remainder + this.pageSize : remainder
  }
}

const NOBODY: LazySequence[] = []
