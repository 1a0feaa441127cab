import type { Backend, Role, ShapeContext, ShapeRule, ShapeVerdict, WorkerShape } from '@spica/schema/core'
import { STRUCTURE_RULES, type StructureContext } from './structure-rules.js'

/** Outcome of one rule. */
export interface RuleVerdict {
  readonly rule: string
  readonly verdict: ShapeVerdict
}

/** Outcome of every rule for one shape, on one backend, in one role. */
export interface ShapeCheck {
  readonly shape: WorkerShape
  readonly backend: Backend
  readonly role: Role
  /** Whether all rules agree. */
  readonly ok: boolean
  readonly verdicts: readonly RuleVerdict[]
}

/** Rules on model, backend and memory, with what they look at. */
export interface RuleSet {
  readonly rules: readonly ShapeRule[]
  contextFor(backend: Backend, role: Role): ShapeContext
}

/** Runs the rules on a shape that is known to exist. */
export function checkShape(shape: WorkerShape, backend: Backend, role: Role, ruleSet: RuleSet | null): ShapeCheck {
  const verdicts: RuleVerdict[] = []
  if (ruleSet !== null && ruleSet.rules.length > 0) {
    const context = ruleSet.contextFor(backend, role)
    for (const rule of ruleSet.rules) verdicts.push({ rule: rule.name, verdict: rule.check(shape, context) })
  }
  return { shape, backend, role, ok: verdicts.every(({ verdict }) => verdict.ok), verdicts }
}

/**
 * Every rule's verdict on any four numbers, legal or not. The rules on structure come first; those on model and memory
 * are only asked about shapes that exist.
 */
export function explainShape(
  shape: WorkerShape,
  backend: Backend,
  role: Role,
  structure: Omit<StructureContext, 'backend'>,
  ruleSet: RuleSet | null = null,
): ShapeCheck {
  const verdicts: RuleVerdict[] = STRUCTURE_RULES.map((rule) => ({
    rule: rule.name,
    verdict: rule.check(shape, { ...structure, backend }),
  }))
  if (verdicts.every(({ verdict }) => verdict.ok)) {
    verdicts.push(...checkShape(shape, backend, role, ruleSet).verdicts)
  }
  return { shape, backend, role, ok: verdicts.every(({ verdict }) => verdict.ok), verdicts }
}

/** The first rule that says no, or null. */
export function firstRejection(check: ShapeCheck): { rule: string; code: string; message: string } | null {
  for (const { rule, verdict } of check.verdicts) {
    if (!verdict.ok) return { rule, code: verdict.code, message: verdict.message }
  }
  return null
}
