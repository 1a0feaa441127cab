import { slaKeys } from './goal-schema.js'
import { pinnedPairKeys, pinnedShapeKeys } from './parallel-pins-schema.js'
import { plannerEntryKeys } from './planner-entries.js'
import { SECTION_SCHEMAS, type SectionName } from './sections.js'
import { spicaConfigSchema } from './spica-config-schema.js'

/** Keys that may stand in the mapping at `path` of a config. */
export function knownKeys(path: readonly (string | number)[]): readonly string[] {
  const [section, field] = path
  if (section === undefined) return Object.keys(spicaConfigSchema.shape)
  if (field === undefined) return Object.keys(SECTION_SCHEMAS[section as SectionName]?.shape ?? {})
  if (field === 'sla') return slaKeys
  if (field === 'parallel_configs') return path.length === 3 ? [...pinnedShapeKeys, ...pinnedPairKeys] : pinnedShapeKeys
  return plannerEntryKeys[field] ?? []
}
