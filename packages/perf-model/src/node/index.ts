export {
  createLoadedTableModel,
  createTableModel,
  loadTables,
  PerfDatabase,
  type SharedPerfDatabase,
  type TableModelOptions,
} from '../index.js'
export { type OpenPerfDatabaseOptions, openPerfDatabase } from './open-perf-database.js'
export { readPlannerProfile } from './planner-profile.js'
