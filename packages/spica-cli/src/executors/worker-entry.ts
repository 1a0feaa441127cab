import { workerData } from 'piscina'
import type { EvaluationSettings } from '../evaluation/evaluation-settings.js'
import { type CandidateEvaluator, createEvaluator } from '../evaluation/evaluator.js'
import { unpackContext } from '../study/packed-context.js'
import type { StudyContext } from '../study/study-context.js'
import { answerTask, type ThreadAnswer } from './thread-answer.js'
import type { ThreadMessage } from './thread-pool.js'

let evaluator: CandidateEvaluator | null = null

/** Entry of every worker thread, local or behind a broker: evaluates candidates of the study it was started with. */
export default function evaluateTask(message: ThreadMessage): Promise<ThreadAnswer> {
  return answerTask(message, (payload) => {
    evaluator ??= createEvaluator(unpackContext(workerData as StudyContext) as EvaluationSettings)
    return evaluator.evaluate(payload as Record<string, unknown>, Number.POSITIVE_INFINITY)
  })
}
