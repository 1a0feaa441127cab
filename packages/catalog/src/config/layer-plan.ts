import type { DenseFfnGroup, LayerGroup } from '@spica/schema'

/** What mixes tokens in one layer: a `LayerGroup` of count one. */
export type LayerMixer = Omit<LayerGroup, 'count'>

/** Joins layers with equal mixers into groups, in order of first appearance. */
export function groupLayers(mixers: readonly LayerMixer[]): LayerGroup[] {
  const groups = new Map<string, { mixer: LayerMixer; count: number }>()
  for (const mixer of mixers) {
    const key = JSON.stringify(mixer)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { mixer, count: 1 })
    else group.count++
  }
  return [...groups.values()].map(({ mixer, count }) => ({ ...mixer, count }))
}

/** Joins dense feed-forward layers of equal size; layers of size 0 have none. */
export function groupFfnSizes(sizes: readonly number[]): DenseFfnGroup[] {
  const counts = new Map<number, number>()
  for (const size of sizes) if (size > 0) counts.set(size, (counts.get(size) ?? 0) + 1)
  return [...counts].map(([interSize, count]) => ({ interSize, count }))
}

/** `count` copies of a value. */
export function repeat<T>(value: T, count: number): T[] {
  return Array.from({ length: count }, () => value)
}
