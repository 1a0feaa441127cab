export { type Branch, type Enumeration, enumerate } from './enumerate.js'
export type { EnumerateOptions, ExclusionReason } from './enumerate-options.js'
export type { GpuBand } from './enumerate-pool.js'
export {
  createLatentSpace,
  type LatentName,
  type LatentRequest,
  type LatentSpace,
  type LatentValues,
  latentFeatures,
} from './latent-space.js'
export {
  configTuple,
  type ParallelPool,
  type PoolColumns,
  poolFromConfigs,
  type SupportedConfig,
  shapeTuple,
} from './parallel-pool.js'
export { type ParsedPins, parsePins, pinOf, type WrittenShape } from './pins.js'
export { createProjector, type Projection, type Projector } from './projector.js'
export {
  checkShape,
  explainShape,
  firstRejection,
  type RuleSet,
  type RuleVerdict,
  type ShapeCheck,
} from './shape-check.js'
export { parseShapeText } from './shape-text.js'
export { NO_VIABLE_PARALLEL_CONFIG, type SkippedMode } from './skipped.js'
export { STRUCTURE_RULES, type StructureContext, type StructureRule } from './structure-rules.js'
export {
  allWorkerShapes,
  GPUS_PER_WORKER,
  type MoeBackend,
  type ShapeStrategy,
  shapeName,
  shapeStrategy,
  type WorkerShapeOptions,
  workerShapes,
} from './worker-shapes.js'
