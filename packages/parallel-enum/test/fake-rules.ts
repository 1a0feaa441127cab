import type { Backend, HardwareSpec, ModelSpec, Role, ShapeContext, ShapeRule } from '@spica/schema'
import type { RuleSet } from '../src/index.js'

/** Rules that look at nothing but the shape, the backend and the role. */
export function rulesOf(...rules: ShapeRule[]): RuleSet {
  return {
    rules,
    contextFor: (backend: Backend, role: Role): ShapeContext => ({
      model: {} as ModelSpec,
      hardware: {} as HardwareSpec,
      backend,
      role,
      maxSequenceTokens: 4096,
      engineSettings: [],
    }),
  }
}

/** Refuses about one in `rejectEvery` combinations of shape, backend and role, chosen by `salt`. */
export function fakeRules({ rejectEvery, salt }: { rejectEvery: number; salt: number }): RuleSet {
  return rulesOf({
    name: 'arbitrary',
    check(shape, { backend, role }) {
      const text = `${shape.tp} ${shape.moeTp} ${shape.attentionDp} ${backend} ${role} ${salt}`
      let hash = 7
      for (const letter of text) hash = (hash * 31 + letter.charCodeAt(0)) % 65_521
      if (hash % rejectEvery !== 0) return { ok: true, numbers: { hash } }
      return { ok: false, code: 'arbitrary', message: 'refused', numbers: { hash } }
    },
  })
}
