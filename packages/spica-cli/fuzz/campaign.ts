import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { configCases } from './config-cases.js'
import { type CaseMaker, FUZZ_KINDS, type FuzzKind } from './fuzz-case.js'
import { jobCases } from './job-cases.js'
import { ledgerCases } from './ledger-cases.js'
import { replayCases } from './replay-cases.js'
import { rowCases } from './row-cases.js'
import { traceCases } from './trace-cases.js'
import { startWatchdog } from './watchdog.js'

export interface CampaignOptions {
  /** Cases over all kinds. */
  readonly cases: number
  readonly seed: number
  /** Longest time of one case, wall-clock ms; one that takes longer ends the process. */
  readonly caseLimitMs: number
  /** Kinds to try. @defaultValue all */
  readonly kinds?: readonly FuzzKind[]
  /** First number of each kind, to repeat one case. @defaultValue 0 */
  readonly from?: number
}

export interface Failure {
  readonly kind: FuzzKind
  readonly number: number
  readonly label: string
  readonly complaints: readonly string[]
}

export interface CampaignResult {
  readonly ran: Readonly<Record<FuzzKind, number>>
  /** How often each outcome was seen. */
  readonly outcomes: Readonly<Record<string, number>>
  readonly failures: readonly Failure[]
  /** Longest case, wall-clock ms. */
  readonly slowestMs: number
  readonly slowest: string
  readonly elapsedMs: number
}

/** Share of each kind in a campaign. */
const SHARES: Readonly<Record<FuzzKind, number>> = {
  config: 0.28,
  trace: 0.22,
  replay: 0.2,
  ledger: 0.05,
  job: 0.1,
  row: 0.15,
}

/** Runs a fuzz campaign; equal seeds try equal cases. */
export async function runCampaign(options: CampaignOptions): Promise<CampaignResult> {
  const folder = mkdtempSync(join(tmpdir(), 'spica-fuzz-'))
  const watchdog = startWatchdog(options.caseLimitMs)
  const kinds = options.kinds ?? FUZZ_KINDS
  const shareOfKinds = kinds.reduce((sum, kind) => sum + SHARES[kind], 0)
  const ran = { config: 0, trace: 0, replay: 0, ledger: 0, job: 0, row: 0 }
  const outcomes: Record<string, number> = {}
  const failures: Failure[] = []
  let slowestMs = 0
  let slowest = ''
  const start = performance.now()
  try {
    for (const kind of kinds) {
      watchdog.feed(`preparing ${kind}`)
      const maker = await makerOf(kind, join(folder, kind), options.seed)
      const count = Math.ceil((options.cases * SHARES[kind]) / shareOfKinds)
      for (let number = options.from ?? 0; number < (options.from ?? 0) + count; number++) {
        const fuzzCase = maker.make(number)
        watchdog.feed(`${kind} case ${number} of seed ${options.seed}: ${fuzzCase.label}`)
        const began = performance.now()
        const { outcome, complaints } = await fuzzCase.run()
        const tookMs = performance.now() - began
        if (tookMs > slowestMs) {
          slowestMs = tookMs
          slowest = `${kind} case ${number}`
        }
        ran[kind]++
        outcomes[`${kind} ${outcome}`] = (outcomes[`${kind} ${outcome}`] ?? 0) + 1
        if (complaints.length > 0) failures.push({ kind, number, label: fuzzCase.label, complaints })
      }
      maker.dispose()
    }
  } finally {
    await watchdog.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return { ran, outcomes, failures, slowestMs, slowest, elapsedMs: performance.now() - start }
}

async function makerOf(kind: FuzzKind, folder: string, seed: number): Promise<CaseMaker> {
  mkdirSync(folder, { recursive: true })
  switch (kind) {
    case 'config':
      return configCases(folder, seed)
    case 'trace':
      return traceCases(folder, seed)
    case 'replay':
      return replayCases(folder, seed)
    case 'ledger':
      return ledgerCases(folder, seed)
    case 'job':
      return jobCases(seed)
    case 'row':
      return rowCases(folder, seed)
  }
}

/** What went wrong, so that it can be repeated. */
export function failureText({ kind, number, label, complaints }: Failure, seed: number): string {
  return `${kind} case ${number} of seed ${seed}:\n  ${complaints.join('\n  ')}\n  input: ${label}`
}
