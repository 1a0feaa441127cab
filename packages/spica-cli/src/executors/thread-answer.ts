import { classifyFailure } from './task-failure.js'
import type { ThreadMessage } from './thread-pool.js'

/** What a worker thread hands back. Failures are values, because an error loses its code on the way between threads. */
export type ThreadAnswer =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly code: string; readonly message: string }

/** Serves one task in a worker thread: says that it has begun, works, answers. */
export async function answerTask(message: ThreadMessage, work: (payload: unknown) => unknown): Promise<ThreadAnswer> {
  message.started.postMessage(null)
  message.started.close()
  try {
    return { ok: true, result: await work(message.payload) }
  } catch (error) {
    const { code, message: text } = classifyFailure(error)
    return { ok: false, code, message: text }
  }
}
