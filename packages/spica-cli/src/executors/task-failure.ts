import { SpicaError } from '@spica/schema'

/** Why a task gave no result, in the words of `ExecutorOutcome`. */
export interface TaskFailure {
  readonly status: 'failed' | 'timed-out' | 'out-of-memory' | 'crashed'
  readonly code: string
  readonly message: string
}

/** Sorts what a worker thread or handler threw into a failure kind. */
export function classifyFailure(error: unknown): TaskFailure {
  const { code, message } = describe(error)
  if (code === 'ERR_WORKER_OUT_OF_MEMORY')
    return { status: 'out-of-memory', code: 'out-of-memory', message: 'the worker reached its memory limit' }
  if (code === 'time-limit') return { status: 'timed-out', code, message }
  if (/^worker exited with code/.test(message))
    return { status: 'crashed', code: 'worker-crashed', message: `the ${message}` }
  return { status: 'failed', code: code ?? 'evaluation-failed', message }
}

/** The failure of a task that ran longer than its limit, seconds. */
export function timeoutFailure(limitSeconds: number): TaskFailure {
  return { status: 'timed-out', code: 'time-limit', message: `ran longer than its limit of ${limitSeconds} s` }
}

function describe(error: unknown): { code: string | undefined; message: string } {
  if (error instanceof SpicaError) return { code: error.code, message: error.message }
  if (error instanceof Error) {
    const code = (error as { code?: unknown }).code
    return { code: typeof code === 'string' ? code : undefined, message: error.message }
  }
  return { code: undefined, message: String(error) }
}
