import { workerData } from 'piscina'
import type { EvaluationSettings } from '../evaluation/evaluation-settings.js'
import { type CandidateEvaluator, createEvaluator } from '../evaluation/evaluator.js'
import { unpackContext } from '../study/packed-context.js'
import type { StudyContext } from '../study/study-context.js'
import type { ThreadMessage } from './thread-pool.js'

let evaluator: CandidateEvaluator | null = null

/** Entry of every worker thread, local or behind a broker: evaluates candidates of the study it was started with. */
export default function evaluateTask(message: ThreadMessage): unknown {
  evaluator ??= createEvaluator(unpackContext(workerData as StudyContext) as EvaluationSettings)
  message.started.postMessage(null)
  message.started.close()
  return evaluator.evaluate(message.payload as Record<string, unknown>, Number.POSITIVE_INFINITY)
}
