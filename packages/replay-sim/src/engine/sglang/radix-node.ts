/** A run of pages in the radix tree: pages `from` … `to − 1` of the sequence of request `owner`. Depths count from the root. */
export class RadixNode {
  parent: RadixNode | null
  owner: number
  from: number
  to: number
  /** Running requests (and reservations) whose sequence ends here or below. */
  lock: number = 0
  /** Logical time of the last access. */
  stamp: number
  /** False once evicted. */
  inTree: boolean = true
  /** Children by the key of their first token; several may share one when pages straddle runs. */
  private children: Map<number, RadixNode | RadixNode[]> | null = null
  childCount: number = 0

  constructor(parent: RadixNode | null, owner: number, from: number, to: number, stamp: number) {
    this.parent = parent
    this.owner = owner
    this.from = from
    this.to = to
    this.stamp = stamp
  }

  get pages(): number {
    return this.to - this.from
  }

  /** Children whose first token has the key: none, one, or several. */
  withKey(key: number): RadixNode | RadixNode[] | undefined {
    return this.children?.get(key)
  }

  add(key: number, child: RadixNode): void {
    this.childCount++
    this.children ??= new Map()
    const present = this.children.get(key)
    if (present === undefined) this.children.set(key, child)
    else if (Array.isArray(present)) present.push(child)
    else this.children.set(key, [present, child])
  }

  remove(key: number, child: RadixNode): void {
    this.childCount--
    const present = this.children!.get(key)!
    if (present === child) this.children!.delete(key)
    else if (Array.isArray(present)) {
      present.splice(present.indexOf(child), 1)
      if (present.length === 1) this.children!.set(key, present[0]!)
    }
  }
}
