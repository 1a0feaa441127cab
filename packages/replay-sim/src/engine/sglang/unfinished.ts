import type { CoalescingSglang } from './coalescing-sglang.js'
import { detach, removeRunning } from './lazy-decode.js'
import type { LazySequence } from './lazy-sequence.js'

/** Takes the gaps of every request that will not finish out of the log; the tokens of a pass in flight never came. */
export function forgetUnfinished(engine: CoalescingSglang, passInFlight: boolean): void {
  const { running, waiting, log } = engine
  const unfinished: LazySequence[] = passInFlight ? [...engine.finishers] : []
  for (let sequence = running.head; sequence !== null; sequence = sequence.next) unfinished.push(sequence)
  const last = running.emissions - (passInFlight && engine.pooled >= 0 ? 1 : 0)
  for (const sequence of unfinished) {
    sequence.produced = sequence.offset + last
    log.retract(sequence, last)
    log.forget(sequence)
  }
  for (let index = 0; index < waiting.length; index++) log.forget(waiting.at(index)!)
}

/** Takes the newest running sequence out, up to date. */
export function popRunning(engine: CoalescingSglang): LazySequence | undefined {
  const { running } = engine
  let newest = running.head
  if (newest === null) return undefined
  while (newest.next !== null) newest = newest.next
  detach(engine, newest, running.emissions)
  removeRunning(engine, newest)
  return newest
}
