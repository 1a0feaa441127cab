interface Closable {
  close(): Promise<void>
}

interface Entry<T> {
  readonly pool: Promise<T | null>
  users: number
  retired: boolean
}

/** Keeps the most recently used pools; one that has fallen out closes when its last user is done. */
export class PoolCache<T extends Closable> {
  readonly #limit: number
  readonly #entries = new Map<string, Entry<T>>()

  constructor(limit: number) {
    this.#limit = limit
  }

  /**
   * Runs `work` with the pool of `key`, made when there is none, and keeps it alive meanwhile. A making that gives null or
   * fails is not kept.
   */
  async use<R>(key: string, make: () => Promise<T | null>, work: (pool: T | null) => Promise<R>): Promise<R> {
    const entry = this.#entries.get(key) ?? { pool: make(), users: 0, retired: false }
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    entry.users++
    for (const oldest of [...this.#entries.keys()].slice(0, -this.#limit)) this.#retire(oldest)
    let keep = false
    try {
      const pool = await entry.pool
      keep = pool !== null
      return await work(pool)
    } finally {
      entry.users--
      if (!keep && this.#entries.get(key) === entry) this.#entries.delete(key)
      if (entry.retired && entry.users === 0) await closeEntry(entry)
    }
  }

  async close(): Promise<void> {
    const entries = [...this.#entries.values()]
    this.#entries.clear()
    await Promise.all(entries.map(closeEntry))
  }

  #retire(key: string): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    this.#entries.delete(key)
    entry.retired = true
    if (entry.users === 0) void closeEntry(entry)
  }
}

async function closeEntry<T extends Closable>(entry: Entry<T>): Promise<void> {
  const pool = await entry.pool.catch(() => null)
  await pool?.close()
}
