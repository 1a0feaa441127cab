import type { Sequence } from './sequence.js'

/** What one request was given in a pass, kept to be undone when it is preempted in the same pass. */
export interface Grant {
  readonly tokens: number
  /** Charged prefill tokens, and those of the charged part already there. */
  readonly prefillTokens: number
  readonly prefixTokens: number
}

/** Token budget and prefill statistics of the pass being built. */
export class PassBudget {
  remaining: number
  prefillCount = 0
  islSum = 0
  prefixSum = 0
  preempted = false
  lastGrant = 0
  readonly grants: Map<Sequence, Grant> = new Map()

  constructor(budget: number) {
    this.remaining = budget
  }

  grant(sequence: Sequence, grant: Grant, charged: boolean): void {
    this.grants.set(sequence, charged ? grant : { ...grant, prefillTokens: 0 })
    if (charged && grant.prefillTokens > 0) {
      this.prefillCount++
      this.islSum += grant.prefixTokens + grant.prefillTokens
      this.prefixSum += grant.prefixTokens
    }
    this.remaining -= grant.tokens
    this.lastGrant = grant.tokens
  }

  undo(sequence: Sequence): void {
    this.preempted = true
    const grant = this.grants.get(sequence)
    if (grant === undefined) return
    this.grants.delete(sequence)
    this.remaining += grant.tokens
    if (grant.prefillTokens > 0) {
      this.prefillCount--
      this.islSum -= grant.prefillTokens + grant.prefixTokens
      this.prefixSum -= grant.prefixTokens
    }
  }
}
