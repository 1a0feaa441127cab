import { workerData } from 'piscina'
import { answerTask, type ThreadAnswer } from '../thread-answer.js'
import type { ThreadMessage } from '../thread-pool.js'

/** What a contract task asks of its worker. */
export interface HazardPayload {
  readonly do: 'echo' | 'sleep' | 'hang' | 'throw' | 'crash' | 'exhaust-memory'
  readonly value?: number
  readonly ms?: number
}

const slowStartMs = (workerData as { settings?: { slowStartMs?: number } } | null)?.settings?.slowStartMs ?? 0
blockFor(slowStartMs)

/** Worker of the executor contract: does what it is told, harmful things included. */
export default function hazard(message: ThreadMessage): Promise<ThreadAnswer> {
  return answerTask(message, (payload) => actOut(payload as HazardPayload))
}

/** Carries out one payload in the calling thread. */
export function actOut(payload: HazardPayload, deadlineMs: number = Number.POSITIVE_INFINITY): unknown {
  switch (payload.do) {
    case 'echo':
      return { value: payload.value ?? null }
    case 'sleep':
      blockFor(payload.ms ?? 0)
      return { value: payload.value ?? null }
    case 'throw':
      throw Object.assign(new Error('told to fail'), { code: 'told-to-fail' })
    case 'hang':
      while (performance.now() < deadlineMs);
      throw Object.assign(new Error('passed its deadline'), { code: 'time-limit' })
    case 'crash':
      return process.exit(3)
    case 'exhaust-memory': {
      const kept: number[][] = []
      for (;;) kept.push(new Array<number>(1000).fill(Math.random()))
    }
  }
}

function blockFor(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}
