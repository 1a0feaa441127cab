/** Sorts the first `count` requests by admission order; buckets are nearly sorted backwards. */
export function sortByOrder(requests: number[], count: number, order: Int32Array): void {
  let descending = true
  let ascending = true
  for (let k = 1; k < count; k++) {
    if (order[requests[k]!]! < order[requests[k - 1]!]!) ascending = false
    else descending = false
  }
  if (ascending) return
  if (descending) {
    for (let low = 0, high = count - 1; low < high; low++, high--) {
      const swap = requests[low]!
      requests[low] = requests[high]!
      requests[high] = swap
    }
    return
  }
  const sorted = requests.slice(0, count).sort((a, b) => order[a]! - order[b]!)
  for (let k = 0; k < count; k++) requests[k] = sorted[k]!
}
