import type { Worker } from './worker.js'

/** True when `a` ends before `b`; simultaneous ends follow the order in which the passes were started. */
function before(a: Worker, b: Worker): boolean {
  if (a.endMs !== b.endMs) return a.endMs < b.endMs
  if (a.startMs !== b.startMs) return a.startMs < b.startMs
  if (a.round !== b.round) return a.round < b.round
  return a.order < b.order
}

/** Busy workers by end of pass. A worker knows its place, so its end can be brought forward. */
export class WorkerHeap {
  private readonly items: Worker[] = []

  get top(): Worker | undefined {
    return this.items[0]
  }

  push(worker: Worker): void {
    this.items.push(worker)
    worker.heapIndex = this.items.length - 1
    this.rise(worker.heapIndex)
  }

  pop(): Worker {
    const worker = this.items[0]!
    this.remove(worker)
    return worker
  }

  remove(worker: Worker): void {
    const index = worker.heapIndex
    const last = this.items.pop()!
    worker.heapIndex = -1
    if (last === worker) return
    this.items[index] = last
    last.heapIndex = index
    this.rise(index)
    this.sink(last.heapIndex)
  }

  /** Call after `worker` was given an earlier end. */
  advance(worker: Worker): void {
    this.rise(worker.heapIndex)
  }

  private rise(from: number): void {
    const { items } = this
    let index = from
    const worker = items[index]!
    while (index > 0) {
      const parent = (index - 1) >> 1
      const other = items[parent]!
      if (!before(worker, other)) break
      items[index] = other
      other.heapIndex = index
      index = parent
    }
    items[index] = worker
    worker.heapIndex = index
  }

  private sink(from: number): void {
    const { items } = this
    let index = from
    const worker = items[index]!
    for (;;) {
      let child = 2 * index + 1
      if (child >= items.length) break
      if (child + 1 < items.length && before(items[child + 1]!, items[child]!)) child++
      const other = items[child]!
      if (!before(other, worker)) break
      items[index] = other
      other.heapIndex = index
      index = child
    }
    items[index] = worker
    worker.heapIndex = index
  }
}
