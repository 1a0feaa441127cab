/** What is attacked. */
export const FUZZ_KINDS = ['config', 'trace', 'replay', 'ledger', 'job', 'row'] as const
export type FuzzKind = (typeof FUZZ_KINDS)[number]

/** One attack: how to run it, what it may answer, and what to show when it fails. */
export interface FuzzCase {
  readonly kind: FuzzKind
  /** Enough to see what is tried; the seed and the number reproduce it. */
  readonly label: string
  run(): Promise<Verdict>
}

export interface Verdict {
  /** What happened, e.g. `exit 2`, for the tally of a campaign. */
  readonly outcome: string
  /** What should not have happened; empty when all is well. */
  readonly complaints: readonly string[]
}

/** Makes the cases of one kind; `number` and the campaign's seed decide everything. */
export interface CaseMaker {
  make(number: number): FuzzCase
  dispose(): void
}
