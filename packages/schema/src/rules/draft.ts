import type { SectionName } from '../config/sections.js'
import type { SpicaConfig } from '../config/spica-config.js'

/**
 * A config in which some fields may be unusable. Rules read it field by field and stay silent about fields that are
 * already reported.
 */
export class Draft {
  readonly #values: Readonly<Record<SectionName, ReadonlyMap<string, unknown>>>
  readonly #given: Readonly<Record<SectionName, ReadonlySet<string>>>

  /** `values` holds the usable fields with defaults filled in, `given` the names the user wrote. */
  constructor(
    values: Readonly<Record<SectionName, ReadonlyMap<string, unknown>>>,
    given: Readonly<Record<SectionName, ReadonlySet<string>>>,
  ) {
    this.#values = values
    this.#given = given
  }

  /** The field's value, or undefined when the section or the field is unusable. */
  read<S extends SectionName, F extends keyof SpicaConfig[S] & string>(
    section: S,
    field: F,
  ): SpicaConfig[S][F] | undefined {
    return this.#values[section].get(field) as SpicaConfig[S][F] | undefined
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
