const LONGEST_COMPARED = 64

/**
 * The candidate most like `name`, for "did you mean" hints: fewest insertions, deletions, replacements and swaps of
 * neighbours, at most a third of the longer name. Upper and lower case, `-` and `_` count as equal. Undefined when
 * nothing is near.
 */
export function closestMatch(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length === 0 || name.length > LONGEST_COMPARED) return undefined
  const wanted = fold(name)
  let best: string | undefined
  let bestDistance = Number.POSITIVE_INFINITY
  for (const candidate of candidates) {
    if (candidate.length > LONGEST_COMPARED) continue
    const allowed = Math.max(1, Math.floor(Math.max(name.length, candidate.length) / 3))
    if (Math.abs(name.length - candidate.length) > allowed) continue
    const distance = editDistance(wanted, fold(candidate))
    if (distance <= allowed && distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

function fold(name: string): string {
  return name.toLowerCase().replaceAll('-', '_')
}

/** Optimal string alignment distance, three rows at a time. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1]
      let cost = Math.min(last[column]! + 1, current[column - 1]! + 1, last[column - 1]! + (same ? 0 : 1))
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      if (swapped) cost = Math.min(cost, beforeLast[column - 2]! + 1)
      current.push(cost)
    }
    beforeLast = last
    last = current
  }
  return last[b.length]!
}
