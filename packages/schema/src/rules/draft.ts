import type { SearchSpaceConfig } from '../config/search-space.js'
import type { SectionName } from '../config/sections.js'
import type { SpicaConfig } from '../config/spica-config.js'

export type Entry = readonly [index: number, value: unknown]

type ListField = {
  [F in keyof SearchSpaceConfig]: SearchSpaceConfig[F] extends readonly unknown[] ? F : never
}[keyof SearchSpaceConfig]

/**
 * A config in which some fields may be unusable. Rules read it field by field and stay silent about fields that are
 * already reported.
 */
export class Draft {
  readonly #values: Readonly<Record<SectionName, ReadonlyMap<string, unknown>>>
  readonly #given: Readonly<Record<SectionName, ReadonlySet<string>>>
  readonly #entries: Readonly<Record<SectionName, ReadonlyMap<string, readonly Entry[]>>>

  /**
   * `values` holds the usable fields with defaults filled in, `given` the names the user wrote, `entries` the usable
   * entries of lists that are not usable as a whole.
   */
  constructor(
    values: Readonly<Record<SectionName, ReadonlyMap<string, unknown>>>,
    given: Readonly<Record<SectionName, ReadonlySet<string>>>,
    entries: Readonly<Record<SectionName, ReadonlyMap<string, readonly Entry[]>>>,
  ) {
    this.#values = values
    this.#given = given
    this.#entries = entries
  }

  /** The field's value, or undefined when the section or the field is unusable. */
  read<S extends SectionName, F extends keyof SpicaConfig[S] & string>(
    section: S,
    field: F,
  ): SpicaConfig[S][F] | undefined {
    return this.#values[section].get(field) as SpicaConfig[S][F] | undefined
  }

  /** The usable entries of a list with their indices, also when other entries are unusable. */
  entries<F extends ListField>(field: F): readonly (readonly [number, SearchSpaceConfig[F][number]])[] {
    const whole = this.read('search_space', field) as readonly unknown[] | undefined
    const entries = whole === undefined ? this.#entries.search_space.get(field) : [...whole.entries()]
    return (entries ?? []) as readonly (readonly [number, SearchSpaceConfig[F][number]])[]
  }

  /** True when the user wrote the field. */
  has<S extends SectionName>(section: S, field: keyof SpicaConfig[S] & string): boolean {
    return this.#given[section].has(field)
  }

  /** True when the section is a mapping. */
  hasSection(section: SectionName): boolean {
    return this.#values[section].size > 0
  }
}

/** What a rule says: `problem` refuses the config, `warning` only tells. */
export interface RuleReport {
  problem(path: readonly (string | number)[], code: string, message: string, hint?: string): void
  warning(path: readonly (string | number)[], code: string, message: string, hint?: string): void
}

/** One rule that spans fields. */
export type Rule = (draft: Draft, report: RuleReport) => void
