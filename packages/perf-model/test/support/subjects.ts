import { findHardware, findModel } from '@spica/catalog'
import type { WorkerShape } from '@spica/schema'
import type { PassSubject } from '../../src/index.js'

export const ONE_GPU: WorkerShape = { tp: 1, attentionDp: 1, moeTp: 1, moeEp: 1 }

export function subject(
  model: string,
  sku: string,
  backend: PassSubject['backend'] = 'vllm',
  shape: WorkerShape = ONE_GPU,
): PassSubject {
  return { model: findModel(model), hardware: findHardware(sku), backend, shape }
}

export const llama: PassSubject = subject('meta-llama/Meta-Llama-3.1-8B', 'h200_sxm')
