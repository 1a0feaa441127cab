import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { loadTables, type PerfDatabase, type PerfPoint } from '@spica/perf-model'
import { openPerfDatabase } from '@spica/perf-model/node'
import {
  type Backend,
  type Compat,
  type HardwareSpec,
  type ModelSpec,
  type PerfConfig,
  type PerfModelName,
  resolvePerfModel,
  SpicaError,
  type WorkerShape,
} from '@spica/schema'
import { readPerfPoints } from './perf-points-file.js'

/** What the config and the flags say about pass times, read and opened. */
export interface PerfInputs {
  readonly model: PerfModelName
  readonly database: PerfDatabase | null
  readonly points: readonly PerfPoint[] | null
}

/** Folder where decoded tables are kept between runs (`XDG_CACHE_HOME`, default `~/.cache`). */
function cacheFolder(): string {
  return join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'spica', 'perf-tables')
}

/** Opens what a perf section names; relative paths start from `baseFolder`. Contradictions are `input` errors. */
export function openPerfInputs(perf: PerfConfig, baseFolder: string): PerfInputs {
  const model = resolvePerfModel(perf)
  if (perf.points !== null && model !== 'roofline')
    throw new SpicaError(
      'input',
      'points-need-roofline',
      `measured points rescale the roofline, not the ${model} model`,
      {
        hint: 'leave out the points, or use the roofline model',
      },
    )
  if (model === 'table' && perf.database === null)
    throw new SpicaError('input', 'perf-db-not-given', 'the table model needs a performance database', {
      hint: 'give --perf-db, or perf.database in the config',
    })
  const usesDatabase = model === 'table' && perf.database !== null
  return {
    model,
    database: usesDatabase
      ? openPerfDatabase(resolve(baseFolder, perf.database as string), { cacheFolder: cacheFolder() })
      : null,
    points: perf.points === null ? null : readPerfPoints(resolve(baseFolder, perf.points)),
  }
}

/** Why a backend's timing is not available, or null. Under `aic-0.11` every model needs a known database, as upstream does. */
export function backendGap(
  inputs: PerfInputs,
  hardware: HardwareSpec,
  backend: Backend,
  compat: readonly Compat[],
): { code: string; message: string } | null {
  const { database } = inputs
  const code = 'missing-perf-database'
  if (database !== null) {
    if (database.versions(hardware.sku, backend).length > 0) return null
    const known = tablesText(database, hardware.sku)
    return { code, message: `no measured tables of ${backend} on ${hardware.sku} in ${database.description}, ${known}` }
  }
  if (!compat.includes('aic-0.11') || hardware.latestPerfDatabase[backend] !== null) return null
  const known = BACKENDS.filter((other) => hardware.latestPerfDatabase[other] !== null)
  const others = known.length === 0 ? '' : `; there are of ${known.join(', ')}`
  return { code, message: `no measured tables of ${backend} on ${hardware.sku} are known${others}` }
}

const BACKENDS = ['vllm', 'sglang', 'trtllm'] as const

/** What a database does have: other backends of the GPU, or other GPUs. */
function tablesText(database: PerfDatabase, sku: string): string {
  const here = BACKENDS.flatMap((backend) => {
    const [newest] = database.versions(sku, backend)
    return newest === undefined ? [] : [`${backend} ${newest}`]
  })
  if (here.length > 0) return `which has those of ${here.join(', ')}`
  return `which has tables of ${database.skus().join(', ') || 'no GPU'}`
}

/** Version of a backend whose timing stands for it: of the database, else the latest one known for the GPU. */
export function backendVersionOf(inputs: PerfInputs, hardware: HardwareSpec, backend: Backend): string {
  if (inputs.database !== null && inputs.database.versions(hardware.sku, backend).length > 0)
    return inputs.database.resolveVersion(hardware.sku, backend)
  return hardware.latestPerfDatabase[backend] ?? 'unknown'
}

/** Reads the tables that these shapes need, so that threads can share them. */
export async function preloadTables(
  database: PerfDatabase,
  subject: { readonly model: ModelSpec; readonly hardware: HardwareSpec; readonly compat: readonly Compat[] },
  uses: readonly { readonly backend: Backend; readonly shape: WorkerShape }[],
): Promise<void> {
  for (const { backend, shape } of uses) {
    await loadTables(database, {
      model: subject.model,
      hardware: subject.hardware,
      backend,
      shape,
      ...(subject.compat.includes('aic-0.11') ? { compat: 'aic-0.11' as const } : {}),
    })
  }
}
