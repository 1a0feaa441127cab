import { createLoadedTableModel, type PerfDatabase } from '@spica/perf-model'
import {
  type Backend,
  type Compat,
  type HardwareSpec,
  type ModelSpec,
  type Role,
  type ShapeVerdict,
  SpicaError,
  type WorkerShape,
} from '@spica/schema'
import { preloadTables } from '../inputs/perf-inputs.js'

/** What measured tables are asked about. */
export interface CoverageSubject {
  readonly database: PerfDatabase
  readonly model: ModelSpec
  readonly hardware: HardwareSpec
  readonly compat: readonly Compat[]
  /** Tokens of the prompt that is tried. */
  readonly isl: number
}

/**
 * Whether the tables answer for the passes of a role: one prompt for workers that prefill, one sequence for those that decode.
 * A table or a measurement that is missing is named.
 */
export async function tableCoverage(
  subject: CoverageSubject,
  backend: Backend,
  role: Role,
  shape: WorkerShape,
): Promise<ShapeVerdict> {
  const { database, model, hardware, compat, isl } = subject
  try {
    await preloadTables(database, subject, [{ backend, shape }])
    const timer = createLoadedTableModel(database, {
      model,
      hardware,
      backend,
      shape,
      ...(compat.includes('aic-0.11') ? { compat: 'aic-0.11' as const } : {}),
    })
    const numbers: Record<string, number> = {}
    if (role !== 'decode') numbers['prefillMs'] = timer.prefillMs(1, isl, 0)
    if (role !== 'prefill') numbers['decodeMs'] = timer.decodeMs(1, isl, isl, isl)
    return { ok: true, numbers }
  } catch (error) {
    if (!(error instanceof SpicaError) || error.kind === 'internal') throw error
    return { ok: false, code: error.code, message: error.message, numbers: {} }
  }
}
