import { describe, it } from 'vitest'
import { EXECUTOR_CONTRACT } from '../../src/executors/contract/executor-contract.js'
import { actOut, type HazardPayload } from '../../src/executors/contract/hazard-worker.js'
import { createInProcessExecutor } from '../../src/executors/in-process.js'
import { createThreadPool } from '../../src/executors/thread-pool.js'
import { HAZARD_FILE } from '../support/hazard-file.js'

describe('in-process executor', () => {
  for (const { name, harmful, run } of EXECUTOR_CONTRACT) {
    if (harmful) continue
    it(name, () =>
      run(async ({ timeLimitSeconds }) =>
        createInProcessExecutor({
          handler: (payload, deadlineMs) => actOut(payload as HazardPayload, deadlineMs),
          timeLimitSeconds,
        }),
      ),
    )
  }
})

describe('thread pool', () => {
  for (const { name, run } of EXECUTOR_CONTRACT) {
    it(name, () =>
      run(async ({ workers, timeLimitSeconds, memoryLimitMb, slowStartMs }) =>
        createThreadPool({
          workerFile: HAZARD_FILE,
          workerData: { settings: { slowStartMs }, columns: {} },
          threads: workers,
          timeLimitSeconds,
          memoryLimitMb,
        }),
      ),
    )
  }
})
