import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'

/** True when the binary is there. Under CI it has to be, so that these tests are never skipped silently. */
export const hasRedis: boolean = process.env['CI'] === 'true' || spawnSync('redis-server', ['--version']).status === 0

export interface TestRedis {
  readonly url: string
  /** Kills the server and starts another on the same port; what was in memory is lost. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/** Starts a real redis-server on a free port of its own. */
export async function startRedis(extra: readonly string[] = []): Promise<TestRedis> {
  const folder = mkdtempSync(join(tmpdir(), 'spica-redis-'))
  const port = await freePort()
  const url = `redis://127.0.0.1:${port}`
  let server = await launch(folder, port, extra)
  return {
    url,
    async restart() {
      await kill(server)
      server = await launch(folder, port, extra)
    },
    async stop() {
      await kill(server)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function launch(folder: string, port: number, extra: readonly string[]): Promise<ChildProcess> {
  const args = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--dir',
    folder,
    '--save',
    '',
    '--appendonly',
    'no',
    ...extra,
  ]
  const server = spawn('redis-server', args, { stdio: 'ignore' })
  const password = extra[extra.indexOf('--requirepass') + 1]
  const probe = new Redis({
    port,
    host: '127.0.0.1',
    ...(extra.includes('--requirepass') && password !== undefined ? { password } : {}),
    maxRetriesPerRequest: null,
    retryStrategy: () => 50,
  })
  probe.on('error', () => {})
  await probe.ping()
  probe.disconnect()
  return server
}

function kill(server: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (server.exitCode !== null || server.signalCode !== null) return resolve()
    server.once('exit', () => resolve())
    server.kill('SIGKILL')
  })
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}
