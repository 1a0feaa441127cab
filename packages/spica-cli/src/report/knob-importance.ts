/** How much one setting explains of one objective. */
export interface KnobEffect {
  /** 0…1, see `knobImportance`. */
  readonly share: number
  /** Mean of the objective at each level, best first. */
  readonly levels: readonly { readonly label: string; readonly mean: number; readonly count: number }[]
}

export interface KnobImportance {
  readonly knob: string
  /** Settings that split the trials in the same way, so that their effects cannot be told apart. */
  readonly others: readonly string[]
  /** Feasible trials that have the setting. */
  readonly trials: number
  /** By objective name. */
  readonly effects: Readonly<Record<string, KnobEffect>>
  /** Mean share over the objectives; knobs are sorted by it. */
  readonly share: number
}

export interface ImportanceInput {
  readonly config: Readonly<Record<string, unknown>>
  readonly objectives: Readonly<Record<string, number>>
}

/** Groups of values a numeric knob with many values is cut into. */
const MOST_LEVELS = 6
/** Fewer trials than this say nothing. */
const FEWEST_TRIALS = 8
/** Facts of a candidate that follow from its knobs. */
const DERIVED = /^(kv_load_concurrency_capacity|kv_load_capacity_tokens|.*_kv_capacity_tokens|concurrency)$/

/**
 * Importance of each setting that differs between trials: the share of an objective's variance between the setting's
 * values, corrected for chance (epsilon squared, Kelley 1935): (SSb − (k − 1)·MSw) / SSt with k levels, 0 at the least.
 * A setting that only some trials have, e.g. of one deployment mode, is looked at among those. Numeric settings with many
 * values are cut into quantile groups. Settings that split the trials the same way share a line. Deterministic; it sees
 * each setting alone, and only where the search looked.
 */
export function knobImportance(
  trials: readonly ImportanceInput[],
  objectives: readonly { readonly name: string; readonly direction: 'maximize' | 'minimize' }[],
): KnobImportance[] {
  const names = [...new Set(trials.flatMap(({ config }) => Object.keys(config)))].filter((name) => !DERIVED.test(name))
  const partitions = new Map<
    string,
    { knobs: string[]; users: readonly ImportanceInput[]; labels: readonly string[] }
  >()
  for (const name of names) {
    const isUsed = trials.map(({ config }) => config[name] !== undefined && config[name] !== null)
    const users = trials.filter((_, index) => isUsed[index])
    if (users.length < FEWEST_TRIALS) continue
    const labels = levelLabels(users.map(({ config }) => config[name]))
    const order = [...new Set(labels)]
    if (order.length < 2) continue
    const places = labels.map((label) => order.indexOf(label))
    let next = 0
    const key = isUsed.map((used) => (used ? places[next++] : '-')).join(',')
    const same = partitions.get(key)
    if (same === undefined) partitions.set(key, { knobs: [name], users, labels })
    else same.knobs.push(name)
  }
  return [...partitions.values()]
    .map(({ knobs: [knob = '', ...others], users, labels }) => {
      const effectFor = ({ name, direction }: { name: string; direction: 'maximize' | 'minimize' }) =>
        effectOf(
          labels,
          users.map((trial) => trial.objectives[name] ?? 0),
          direction,
        )
      const effects = Object.fromEntries(objectives.map((objective) => [objective.name, effectFor(objective)]))
      const shares = Object.values(effects).map((effect) => effect.share)
      const share = shares.reduce((sum, one) => sum + one, 0) / shares.length
      return { knob, others, trials: users.length, effects, share }
    })
    .sort((a, b) => b.share - a.share || (a.knob < b.knob ? -1 : 1))
}

/** The level each trial is at; numbers with many values become ranges between quantiles. */
export function levelLabels(values: readonly unknown[]): string[] {
  const numbers = [...new Set(values.filter((value): value is number => typeof value === 'number'))].sort(
    (a, b) => a - b,
  )
  const ranges = numbers.length > MOST_LEVELS ? quantileRanges(values, numbers) : null
  return values.map((value) => {
    if (typeof value !== 'number') return typeof value === 'object' ? JSON.stringify(value) : String(value)
    if (ranges === null) return String(value)
    return ranges.find((range) => value <= range.to)?.label ?? String(value)
  })
}

function quantileRanges(values: readonly unknown[], distinct: readonly number[]): { to: number; label: string }[] {
  const sorted = values.filter((value): value is number => typeof value === 'number').sort((a, b) => a - b)
  const cuts = new Set<number>()
  for (let part = 1; part <= MOST_LEVELS; part++)
    cuts.add(sorted[Math.ceil((sorted.length * part) / MOST_LEVELS) - 1] as number)
  let from = distinct[0] as number
  return [...cuts].map((to) => {
    const label = from === to ? short(to) : `${short(from)} … ${short(to)}`
    from = distinct.find((value) => value > to) ?? to
    return { to, label }
  })
}

function short(value: number): string {
  return String(Number(value.toPrecision(4)))
}

function effectOf(
  labels: readonly string[],
  values: readonly number[],
  direction: 'maximize' | 'minimize',
): KnobEffect {
  const groups = new Map<string, { sum: number; count: number }>()
  labels.forEach((label, index) => {
    const group = groups.get(label) ?? { sum: 0, count: 0 }
    group.sum += values[index] as number
    group.count++
    groups.set(label, group)
  })
  const count = values.length
  const mean = values.reduce((sum, value) => sum + value, 0) / count
  const total = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  let between = 0
  for (const group of groups.values()) between += group.count * (group.sum / group.count - mean) ** 2
  const levels = [...groups]
    .map(([label, group]) => ({ label, mean: group.sum / group.count, count: group.count }))
    .sort((a, b) => (direction === 'maximize' ? b.mean - a.mean : a.mean - b.mean) || (a.label < b.label ? -1 : 1))
  const within = count > groups.size ? (total - between) / (count - groups.size) : Number.POSITIVE_INFINITY
  const share = total > 0 && Number.isFinite(within) ? (between - (groups.size - 1) * within) / total : 0
  return { share: Math.min(1, Math.max(0, share)), levels }
}
