import { createLoadedTableModel, createPolynomialModel, createRooflineModel, PerfDatabase } from '@spica/perf-model'
import { type Backend, type PerfModel, type PerfModelName, SpicaError, type WorkerShape } from '@spica/schema'
import type { EvaluationSettings } from './evaluation-settings.js'

/** Makes the pass-time model of one worker shape on one backend. */
export type PerfModelMaker = (backend: Backend, shape: WorkerShape) => PerfModel

type MakerOf = (settings: Pick<EvaluationSettings, 'model' | 'hardware' | 'perf' | 'compat'>) => PerfModelMaker

const MAKERS: Readonly<Record<PerfModelName, MakerOf>> = {
  polynomial: () => () => createPolynomialModel(),
  roofline:
    ({ model, hardware, perf }) =>
    (backend, shape) =>
      createRooflineModel({
        model,
        hardware,
        backend,
        shape,
        ...(perf.points === null ? {} : { points: perf.points }),
      }),
  table: ({ model, hardware, perf, compat }) => {
    if (perf.database === null)
      throw new SpicaError('input', 'perf-db-not-given', 'the table model needs a performance database', {
        hint: 'give --perf-db, or perf.database in the config',
      })
    const database = PerfDatabase.fromShared(perf.database)
    return (backend, shape) => {
      const version = perf.backendVersions[backend]
      return createLoadedTableModel(database, {
        model,
        hardware,
        backend,
        shape,
        ...(version === undefined ? {} : { backendVersion: version }),
        ...(compat.includes('aic-0.11') ? { compat: 'aic-0.11' as const } : {}),
      })
    }
  },
}

/** A maker that remembers the models it made. */
export function perfModelMaker(settings: Parameters<MakerOf>[0]): PerfModelMaker {
  const make = MAKERS[settings.perf.model](settings)
  const made = new Map<string, PerfModel>()
  return (backend, shape) => {
    const key = [backend, shape.tp, shape.attentionDp, shape.moeTp, shape.moeEp].join(' ')
    let model = made.get(key)
    if (model === undefined) made.set(key, (model = make(backend, shape)))
    return model
  }
}
