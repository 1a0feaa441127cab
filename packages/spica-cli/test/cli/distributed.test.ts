import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasRedis, startRedis, type TestRedis } from '../support/redis-server.js'
import { type SpicaProcess, smallSweep, spawnSpica, type Workspace, workspace } from '../support/run-spica.js'

describe.skipIf(!hasRedis)('a sweep over worker processes', () => {
  let redis: TestRedis
  let at: Workspace
  const workers: SpicaProcess[] = []
  const serve = () => {
    const worker = spawnSpica(['worker', '--broker', redis.url, '--workers', '1'], at.folder)
    workers.push(worker)
    return worker
  }
  beforeAll(async () => {
    redis = await startRedis()
    at = workspace({ 'sweep.yaml': smallSweep() })
  })
  afterAll(async () => {
    for (const worker of workers) worker.kill('SIGKILL')
    await redis.stop()
    at.remove()
  })

  it('finds the same bytes as a local one, also when a worker is killed on the way', { timeout: 120_000 }, async () => {
    const local = await spawnSpica(['sweep', '--config', 'sweep.yaml', '--out', 'local', '--quiet'], at.folder).done
    expect(local.code).toBe(0)
    const first = serve()
    serve()
    const args = ['sweep', '--config', 'sweep.yaml', '--out', 'far', '--executor', 'bullmq', '--broker', redis.url]
    const sweep = spawnSpica(args, at.folder)
    const started = Date.now()
    while (
      !(at.exists('far/trials.jsonl') && at.read('far/trials.jsonl').includes('\n')) &&
      Date.now() - started < 60_000
    )
      await new Promise((resolve) => setTimeout(resolve, 20))
    first.kill('SIGKILL')
    const run = await sweep.done
    expect(run.stderr).not.toMatch(/\n\s+at /)
    expect(run.code).toBe(0)
    expect(at.read('far/candidates.json')).toBe(at.read('local/candidates.json'))
  })
})
