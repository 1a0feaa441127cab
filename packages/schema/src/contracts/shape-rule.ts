import type { HardwareSpec } from '../domain/hardware-spec.js'
import type { ModelSpec } from '../domain/model-spec.js'
import type { Backend, Role, WorkerShape } from '../domain/parallel.js'

/** What a rule may look at besides the shape. */
export interface ShapeContext {
  readonly model: ModelSpec
  readonly hardware: HardwareSpec
  readonly backend: Backend
  readonly role: Role
  /** Longest sequence that must fit, tokens. */
  readonly maxSequenceTokens: number
  /** Batching and memory settings a candidate of this role can have; a memory rule passes if any combination fits. */
  readonly engineSettings: readonly EngineSettings[]
}

export interface EngineSettings {
  readonly maxNumBatchedTokens: number
  readonly maxNumSeqs: number
  /** Share of GPU memory the engine may use, (0, 1]. */
  readonly memoryFraction: number
}

export type ShapeVerdict =
  | { readonly ok: true; readonly numbers?: Readonly<Record<string, number>> }
  | {
      readonly ok: false
      /** Kebab-case reason code, e.g. `kv-does-not-fit`. */
      readonly code: string
      readonly message: string
      readonly numbers: Readonly<Record<string, number>>
    }

/** One named reason why a shape is legal or not: divisibility, quantisation, backend, memory. Pure. */
export interface ShapeRule {
  readonly name: string
  check(shape: WorkerShape, context: ShapeContext): ShapeVerdict
}
