import { DECODING, type SequenceTable } from './sequence-table.js'

/**
 * The members of an engine that emit one token every pass. Nothing is kept per token: a member's length is its lead plus the
 * pass counter, blocks needed by a pass are counted by residue class, ends are in a ring indexed by pass.
 */
export class DecodingSet {
  /** Passes that emitted so far. */
  pass = 0
  size = 0
  /** Σ lead and Σ lead² of the members. */
  leadSum = 0
  leadSquares = 0
  /** Members that take a new block in passes of each residue modulo the block size. */
  readonly opening: Int32Array
  private readonly ring: Int32Array
  private readonly mask: number
  private readonly table: SequenceTable

  /** `longest` is the largest output any member may have. */
  constructor(table: SequenceTable, blockSize: number, longest: number) {
    this.table = table
    this.opening = new Int32Array(blockSize)
    let size = 16
    while (size <= longest) size *= 2
    this.mask = size - 1
    this.ring = new Int32Array(size).fill(-1)
  }

  /** Blocks the next pass opens. */
  get openingNow(): number {
    return this.opening[this.pass % this.opening.length]!
  }

  /** First member whose last token comes out in `pass`, −1 = none. */
  endingIn(pass: number): number {
    return this.ring[pass & this.mask]!
  }

  known(request: number): number {
    return this.table.lead[request]! + this.pass
  }

  /** True when the member takes a new block in the next pass. */
  opensBlock(request: number): boolean {
    return this.residue(this.table.lead[request]!) === this.pass % this.opening.length
  }

  join(request: number, known: number, remaining: number): void {
    const { table } = this
    const lead = known - this.pass
    table.lead[request] = lead
    table.flags[request] = table.flags[request]! | DECODING
    this.size++
    this.leadSum += lead
    this.leadSquares += lead * lead
    const residue = this.residue(lead)
    this.opening[residue] = this.opening[residue]! + 1
    const last = this.pass + remaining - 1
    table.lastPass[request] = last
    table.nextInRing[request] = this.ring[last & this.mask]!
    this.ring[last & this.mask] = request
  }

  /** Takes out all members that end in the next pass, into `into`; returns how many. */
  takeEnding(into: number[]): number {
    const slot = this.pass & this.mask
    let count = 0
    for (let request = this.ring[slot]!; request >= 0; request = this.table.nextInRing[request]!) {
      into[count++] = request
      this.drop(request)
    }
    this.ring[slot] = -1
    return count
  }

  /** Takes out one member before its end. */
  remove(request: number): void {
    const { nextInRing, lastPass } = this.table
    const slot = lastPass[request]! & this.mask
    let at = this.ring[slot]!
    if (at === request) this.ring[slot] = nextInRing[request]!
    else {
      while (nextInRing[at] !== request) at = nextInRing[at]!
      nextInRing[at] = nextInRing[request]!
    }
    this.drop(request)
  }

  private drop(request: number): void {
    const { table } = this
    const lead = table.lead[request]!
    table.flags[request] = table.flags[request]! & ~DECODING
    this.size--
    this.leadSum -= lead
    this.leadSquares -= lead * lead
    const residue = this.residue(lead)
    this.opening[residue] = this.opening[residue]! - 1
  }

  private residue(lead: number): number {
    const size = this.opening.length
    const residue = (1 - lead) % size
    return residue < 0 ? residue + size : residue
  }
}
