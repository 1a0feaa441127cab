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
  private readonly children: Map<number, RadixNode[]> = new Map()
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

  withKey(key: number): readonly RadixNode[] | undefined {
    return this.children.get(key)
  }

  add(key: number, child: RadixNode): void {
    this.childCount++
    const list = this.children.get(key)
    if (list === undefined) this.children.set(key, [child])
    else list.push(child)
  }

  remove(key: number, child: RadixNode): void {
    this.childCount--
    const list = this.children.get(key)!
    if (list.length === 1) this.children.delete(key)
    else list.splice(list.indexOf(child), 1)
  }
}
