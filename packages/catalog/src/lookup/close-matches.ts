/** Up to `limit` candidates that look like `name`, closest first; none when nothing is near. */
export function closeMatches(name: string, candidates: readonly string[], limit: number = 3): string[] {
  const wanted = squash(name)
  if (wanted === '') return []
  const scored = candidates.map((candidate) => {
    const text = squash(candidate)
    const contains = text.includes(wanted) || (wanted.length >= 4 && wanted.includes(text))
    const distance = editDistance(wanted, text) / Math.max(wanted.length, text.length)
    return { candidate, score: contains ? Math.min(distance, 0.3) : distance }
  })
  return scored
    .filter(({ score }) => score <= 0.4)
    .sort((a, b) => a.score - b.score || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, limit)
    .map(({ candidate }) => candidate)
}

function squash(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .slice(0, 200)
}

/** Insertions, deletions, substitutions and swaps of neighbours between two words. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const cost = a[row - 1] === b[column - 1] ? 0 : 1
      let best = Math.min(last[column]! + 1, current[column - 1]! + 1, last[column - 1]! + cost)
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        best = Math.min(best, beforeLast[column - 2]! + 1)
      }
      current.push(best)
    }
    beforeLast = last
    last = current
  }
  return last[b.length]!
}
