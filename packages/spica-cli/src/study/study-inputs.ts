import { loadHardware, loadModel } from '@spica/catalog/node'
import { type Enumeration, enumerate } from '@spica/parallel-enum'
import type { SharedWorkload } from '@spica/replay-sim'
import {
  type Backend,
  type Compat,
  type HardwareSpec,
  isMoe,
  type ModelSpec,
  type SpicaConfig,
  type WorkerShape,
} from '@spica/schema'
import { backendGap, openPerfInputs, type PerfInputs, preloadTables } from '../inputs/perf-inputs.js'
import { openTrace } from '../inputs/trace-input.js'
import { withRemedies } from './remedies.js'
import { shapeRules } from './shape-rules.js'

/** Everything a config names, read and checked. */
export interface StudyInputs {
  readonly model: ModelSpec
  readonly hardware: HardwareSpec
  readonly perf: PerfInputs
  readonly trace: SharedWorkload | null
  /** Remarks of the trace reader, in plain words. */
  readonly traceNotes: readonly string[]
}

/** Reads model, GPU and performance data, all that enumerating needs. Relative paths start from `folder`. */
export function openEnumerationInputs(
  config: SpicaConfig,
  folder: string,
): Pick<StudyInputs, 'model' | 'hardware' | 'perf'> {
  return {
    model: loadModel(config.search_space.model_name, { baseDir: folder }),
    hardware: loadHardware(config.search_space.hardware_sku, { baseDir: folder }),
    perf: openPerfInputs(config.perf, folder),
  }
}

/** Reads model, GPU, performance data and trace. Relative paths start from `folder`. */
export function openStudyInputs(config: SpicaConfig, folder: string): StudyInputs {
  const inputs = openEnumerationInputs(config, folder)
  const trace = openTrace(config.workload, folder)
  return { ...inputs, trace: trace?.shared ?? null, traceNotes: trace === null ? [] : notesOf(trace.loaded) }
}

/** Branches, shapes and pools of a config; throws code `no-viable-parallel-config` when there are none. */
export function enumerateStudy(
  config: SpicaConfig,
  inputs: Pick<StudyInputs, 'model' | 'hardware' | 'perf'>,
  compat: readonly Compat[],
): Enumeration {
  const space = config.search_space
  try {
    return enumerate({
      deploymentModes: space.deployment_mode,
      backends: space.backend,
      isMoe: isMoe(inputs.model),
      gpuBudget: space.gpu_budget,
      minGpuBudget: space.min_gpu_budget,
      pins: space.parallel_configs,
      ruleSet: shapeRules(space, inputs.model, inputs.hardware, compat),
      exclude: (_mode, backend) => backendGap(inputs.perf, inputs.hardware, backend, compat),
      compat,
    })
  } catch (error) {
    throw withRemedies(error, config, inputs, compat)
  }
}

/** Loads the measured tables that the enumerated shapes need. */
export async function preloadForStudy(
  inputs: StudyInputs,
  enumeration: Enumeration,
  compat: readonly Compat[],
): Promise<void> {
  if (inputs.perf.database === null) return
  const uses = new Map<string, { backend: Backend; shape: WorkerShape }>()
  for (const branch of enumeration.branches) {
    for (const backend of branch.backends) {
      for (const shape of branch.pool.columns.units)
        uses.set(`${backend} ${Object.values(shape).join(' ')}`, { backend, shape })
    }
  }
  await preloadTables(inputs.perf.database, { ...inputs, compat }, [...uses.values()])
}

function notesOf(loaded: {
  problems: readonly { severity: string; line: number; message: string; more?: number }[]
}): string[] {
  return loaded.problems
    .filter((problem) => problem.severity === 'warning')
    .slice(0, 5)
    .map(
      (problem) => `trace line ${problem.line}: ${problem.message}${problem.more ? ` (and ${problem.more} more)` : ''}`,
    )
}
