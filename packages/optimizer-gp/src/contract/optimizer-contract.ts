import type { CreateOptimizer, Optimizer, OptimizerOptions, Outcome, Suggestion } from '@spica/schema'
import { answer, FINITE_SPACE, isLegal, MIXED_SPACE, ONE_OBJECTIVE, objectives } from './contract-spaces.js'

/** What the contract needs: the package under test and two functions of any test framework. */
export interface OptimizerContractSetup {
  readonly createOptimizer: CreateOptimizer
  /** Groups tests; vitest's, jest's or node:test's `describe`. */
  readonly describe: (name: string, body: () => void) => unknown
  /** Declares a test that fails by throwing. */
  readonly it: (name: string, body: () => void) => unknown
  /** Suggestions per longer study; default 40. */
  readonly trials?: number
}

function check(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(`optimizer contract: ${message}`)
}

function same(a: unknown, b: unknown, message: string): void {
  const [left, right] = [JSON.stringify(a), JSON.stringify(b)]
  check(left === right, `${message}\n  ${left}\n  ${right}`)
}

function refuses(body: () => void, what: string): void {
  let thrown: unknown
  try {
    body()
  } catch (error) {
    thrown = error
  }
  check(thrown instanceof Error, `${what} must throw`)
  const { kind, code } = thrown as Error & { kind?: unknown; code?: unknown }
  check(kind === 'input' && typeof code === 'string', `${what} must throw a SpicaError of kind input, got ${thrown}`)
}

function values(suggestions: readonly Suggestion[]): string[] {
  return suggestions.map((s) => JSON.stringify(Object.entries(s.parameters).sort()))
}

/** Asks in batches of five and tells at once; returns all suggestions. */
function study(optimizer: Optimizer, options: OptimizerOptions, trials: number): Suggestion[] {
  const all: Suggestion[] = []
  while (all.length < trials) {
    const asked = optimizer.ask(Math.min(5, trials - all.length))
    if (asked.length === 0) break
    all.push(...asked)
    optimizer.tell(asked.map((s) => answer(options, s)))
  }
  return all
}

/**
 * Declares the tests that every `Optimizer` must pass: legal and unused suggestions, defaults first, determinism,
 * pending suggestions, any order of tells, repeats and conflicts, refusals, exhaustion, snapshots.
 */
export function defineOptimizerContract(setup: OptimizerContractSetup): void {
  const { createOptimizer, describe, it, trials = 40 } = setup
  const mixed = (count: number, seed = 1): OptimizerOptions => ({
    parameters: MIXED_SPACE,
    objectives: objectives(count),
    seed,
  })
  const finite: OptimizerOptions = { parameters: FINITE_SPACE, objectives: ONE_OBJECTIVE, seed: 3 }

  describe('suggestions', () => {
    for (const count of [1, 2, 3, 4]) {
      it(`are legal and never repeated with ${count} objective(s)`, () => {
        const options = mixed(count)
        const all = study(createOptimizer(options), options, count > 2 ? Math.min(trials, 25) : trials)
        for (const s of all) check(isLegal(MIXED_SPACE, s.parameters), `illegal suggestion ${JSON.stringify(s)}`)
        check(new Set(values(all)).size === all.length, 'a suggestion was repeated')
        check(new Set(all.map((s) => s.id)).size === all.length, 'an id was used twice')
      })
    }
    it('begin with the defaults', () => {
      const [first] = createOptimizer(mixed(1)).ask(3)
      for (const p of MIXED_SPACE) check(first?.parameters[p.name] === p.default, `${p.name} is not at its default`)
    })
    it('come as many as asked while points are left', () => {
      const optimizer = createOptimizer(mixed(1))
      for (const count of [0, 1, 7, 20]) check(optimizer.ask(count).length === count, `asked ${count}`)
    })
    it('are equal for equal options and calls, and differ by seed', () => {
      const run = (seed: number): string[] => {
        const options = mixed(2, seed)
        return values(study(createOptimizer(options), options, 25))
      }
      same(run(5), run(5), 'the same seed gave other suggestions')
      check(JSON.stringify(run(5)) !== JSON.stringify(run(6)), 'another seed gave the same suggestions')
    })
    it('avoid pending points', () => {
      const options = mixed(1)
      const optimizer = createOptimizer(options)
      const asked = [...optimizer.ask(8), ...optimizer.ask(4)]
      optimizer.tell(asked.slice(0, 6).map((s) => answer(options, s)))
      asked.push(...optimizer.ask(6))
      check(new Set(values(asked)).size === 18, 'a pending point was suggested again')
    })
  })

  describe('outcomes', () => {
    it('may be told in any order', () => {
      const run = (reorder: (outcomes: Outcome[]) => Outcome[][]): string[] => {
        const options = mixed(2)
        const optimizer = createOptimizer(options)
        const first = optimizer.ask(12)
        for (const part of reorder(first.map((s) => answer(options, s)))) optimizer.tell(part)
        return values(optimizer.ask(5))
      }
      const expected = run((o) => [o])
      same(
        run((o) => [o.reverse()]),
        expected,
        'the order of outcomes changed the next suggestions',
      )
      same(
        run((o) => o.map((one) => [one])),
        expected,
        'telling one by one changed the next suggestions',
      )
    })
    it('are ignored when repeated, refused when they conflict', () => {
      const options = mixed(1)
      const optimizer = createOptimizer(options)
      const [first] = optimizer.ask(1)
      const outcome: Outcome = { id: first!.id, status: 'complete', metrics: { o0: 1 } }
      optimizer.tell([outcome, outcome])
      optimizer.tell([outcome])
      refuses(() => optimizer.tell([{ ...outcome, metrics: { o0: 2 } }]), 'another value for a told suggestion')
      refuses(() => optimizer.tell([{ id: first!.id, status: 'infeasible', reason: '' }]), 'another status')
    })
    it('with unusable metrics or unknown ids are refused and change nothing', () => {
      const options = mixed(1)
      const optimizer = createOptimizer(options)
      const [a, b] = optimizer.ask(2)
      const good: Outcome = { id: a!.id, status: 'complete', metrics: { o0: 1 } }
      for (const value of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
        refuses(() => optimizer.tell([good, { id: b!.id, status: 'complete', metrics: { o0: value } }]), `${value}`)
      }
      refuses(() => optimizer.tell([{ id: b!.id, status: 'complete', metrics: {} }]), 'a missing metric')
      refuses(() => optimizer.tell([{ id: 999, status: 'infeasible', reason: '' }]), 'an unknown id')
      optimizer.tell([{ id: a!.id, status: 'complete', metrics: { o0: 2 } }])
    })
    it('may all be infeasible, or all equal', () => {
      for (const infeasible of [true, false]) {
        const optimizer = createOptimizer(mixed(2))
        const seen: Suggestion[] = []
        for (let round = 0; round < 4; round++) {
          const asked = optimizer.ask(5)
          seen.push(...asked)
          optimizer.tell(
            asked.map(({ id }): Outcome => {
              if (infeasible) return { id, status: 'infeasible', reason: 'always' }
              return { id, status: 'complete', metrics: { o0: 3, o1: -1e9 } }
            }),
          )
        }
        check(new Set(values(seen)).size === 20, 'a point was repeated')
      }
    })
  })

  describe('a finite space', () => {
    it('is exhausted exactly once', () => {
      const optimizer = createOptimizer(finite)
      const all = study(optimizer, finite, 100)
      check(all.length === 12 && new Set(values(all)).size === 12, `got ${all.length} of 12 points`)
      check(optimizer.ask(4).length === 0, 'ask after exhaustion must return nothing')
    })
    it('is exhausted with everything pending', () => {
      check(createOptimizer(finite).ask(50).length === 12, 'one large ask must return all 12 points')
    })
    it('may have a single point', () => {
      const optimizer = createOptimizer({ ...finite, parameters: [{ name: 'n', kind: 'integer', min: 4, max: 4 }] })
      check(optimizer.ask(3).length === 1, 'one point')
    })
  })

  describe('a snapshot', () => {
    it('survives JSON and continues as if nothing had happened', () => {
      for (const count of [1, 2]) {
        const options = mixed(count)
        const original = createOptimizer(options)
        study(original, options, 15)
        const pending = original.ask(4)
        original.tell(pending.slice(2).map((s) => answer(options, s)))
        const snapshot: unknown = JSON.parse(JSON.stringify(original.snapshot()))
        const restored = createOptimizer({ ...options, snapshot })
        same(restored.snapshot(), original.snapshot(), 'the snapshot of the restored optimiser differs')
        for (const o of [original, restored]) o.tell(pending.slice(0, 2).map((s) => answer(options, s)))
        same(study(restored, options, 12), study(original, options, 12), 'the restored optimiser went another way')
      }
    })
    it('is refused when broken or taken with other options', () => {
      const options = mixed(1)
      const optimizer = createOptimizer(options)
      optimizer.ask(2)
      const snapshot = optimizer.snapshot()
      for (const bad of ['text', 7, {}, { ...(snapshot as object), trials: 'none' }]) {
        refuses(() => createOptimizer({ ...options, snapshot: bad }), 'a broken snapshot')
      }
      refuses(() => createOptimizer({ ...options, seed: 2, snapshot }), 'a snapshot of another seed')
      refuses(() => createOptimizer({ ...finite, snapshot }), 'a snapshot of another space')
    })
  })

  describe('bad options and counts', () => {
    it('are refused', () => {
      const bad: unknown[] = [
        { parameters: [] },
        { objectives: [] },
        { seed: 1.5 },
        { parameters: [{ name: 'x', kind: 'float', min: 2, max: 1 }] },
        { parameters: [{ name: 'x', kind: 'float', min: 0, max: 1, scale: 'log' }] },
        { parameters: [{ name: 'x', kind: 'float', min: Number.NaN, max: 1 }] },
        { parameters: [{ name: 'x', kind: 'integer', min: 0.5, max: 2 }] },
        { parameters: [{ name: 'x', kind: 'discrete', values: [] }] },
        { parameters: [{ name: 'x', kind: 'discrete', values: [1, 1] }] },
        { parameters: [{ name: 'x', kind: 'categorical', values: ['a', 'b'], default: 'c' }] },
        { parameters: [{ name: 'x', kind: 'unheard-of' }] },
        { parameters: [FINITE_SPACE[0], FINITE_SPACE[0]] },
        { objectives: [{ name: 'f', direction: 'sideways' }] },
        { objectives: [{ name: 'f', direction: 'minimize', referencePoint: Number.NaN }] },
      ]
      for (const change of bad) {
        refuses(() => createOptimizer({ ...finite, ...(change as object) }), JSON.stringify(change))
      }
      const optimizer = createOptimizer(finite)
      for (const count of [-1, 1.5, Number.NaN]) refuses(() => optimizer.ask(count), `ask(${count})`)
    })
  })
}
