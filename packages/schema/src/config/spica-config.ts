import type { GoalConfig } from './goal.js'
import type { PerfConfig } from './perf.js'
import type { SearchSpaceConfig } from './search-space.js'
import type { SweepConfig } from './sweep.js'
import type { WorkloadConfig } from './workload.js'

/** A whole sweep configuration after loading: checked, every default filled in, not to be changed. */
export interface SpicaConfig {
  readonly search_space: SearchSpaceConfig
  readonly workload: WorkloadConfig
  readonly goal: GoalConfig
  readonly sweep: SweepConfig
  readonly perf: PerfConfig
}
