import type { ModelSpec } from '@spica/schema'

/** One layer like those that attend to the whole sequence. */
export function mtpLayerGroups(model: ModelSpec): ModelSpec['layerGroups'] {
  const attending = model.layerGroups.find((group) => group.mixer !== 'recurrent' && group.mixer !== 'none')
  const full = model.layerGroups.find((group) => group.mixer === 'full' || group.mixer === 'mla') ?? attending
  return full === undefined ? [] : [{ ...full, count: 1 }]
}
