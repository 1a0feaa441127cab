import { z } from 'zod'
import { wholeNumber } from './numeric-fields.js'
import type { PinnedParallelConfig } from './parallel-pins.js'

const degree = () => wholeNumber(1, 4096)

const pinnedShape = z.strictObject({
  tp: degree(),
  attention_dp: degree().exactOptional(),
  moe_tp: degree().exactOptional(),
  moe_ep: degree().exactOptional(),
  pp: degree().exactOptional(),
  replicas: wholeNumber(1, 65_536).exactOptional(),
})

const pinnedPair = z.strictObject({ prefill: pinnedShape, decode: pinnedShape })

export const pinnedParallelConfigs: z.ZodType<PinnedParallelConfig[], PinnedParallelConfig[] | undefined> = z
  .array(z.union([pinnedShape, pinnedPair]))
  .default(() => [])
  .meta({
    description:
      'Parallel shapes to use instead of enumerating all; needs exactly one deployment_mode. Agg: {tp, …}; disagg: {prefill: {tp, …}, decode: {tp, …}}.',
  })

export const pinnedShapeKeys: readonly string[] = Object.keys(pinnedShape.shape)
export const pinnedPairKeys: readonly string[] = Object.keys(pinnedPair.shape)
