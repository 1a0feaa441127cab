export { type ConstantModelOptions, createConstantModel } from './constant-model.js'
export type {
  AllReduceKernel,
  AttentionKernel,
  CollectiveKernel,
  ElementwiseKernel,
  ExpertsKernel,
  GemmKernel,
  Kernel,
  LeafKernel,
  MlaKernel,
  OverlapKernel,
  PassPlan,
  PlannedOperator,
  RecurrentKernel,
  SequenceKernel,
  SparseMlaKernel,
} from './operators/kernel.js'
export { type PassSubject, planPass } from './operators/plan-pass.js'
export { type ServingFormats, servingFormats } from './operators/serving-formats.js'
export { PERF_POINT_COLUMNS, parsePerfPoints } from './points/parse-perf-points.js'
export type { PerfPoint } from './points/perf-point.js'
export { createPolynomialModel } from './polynomial-model.js'
export { createProfileModel, type PlannerProfile } from './profile-model.js'
export type { CoefficientSet, CoefficientTable } from './roofline/coefficient-sets.js'
export { createRooflineModel, type RooflineModelOptions } from './roofline/roofline-model.js'
export {
  LATENCY_ROW_KEYS,
  type LatencyAnswer,
  type LatencyRowOptions,
  latencyAnswerer,
  latencyRow,
} from './row/latency-row.js'
export { PerfDatabase, type SharedPerfDatabase, type TableReader } from './table/perf-database.js'
export type { PerfRows, TextColumn } from './table/perf-rows.js'
export type { TableFile, TableIndex } from './table/table-index.js'
export { createLoadedTableModel, createTableModel, loadTables, type TableModelOptions } from './table/table-model.js'
