import { fileURLToPath } from 'node:url'

/** Built worker of the executor contract: threads cannot load TypeScript. */
export const HAZARD_FILE: string = fileURLToPath(
  new URL('../../dist/executors/contract/hazard-worker.js', import.meta.url),
)
