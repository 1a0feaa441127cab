/** GPU limits of a fleet. A negative bound is off. With both on, the floor gives way by one replica of the larger kind. */
export interface GpuBand {
  readonly minGpus: number
  readonly maxGpus: number
  /** Fewest workers of a pool. */
  readonly minEndpoint: number
}

function toleranceGpus(band: GpuBand, gpusPerReplica: number): number {
  return band.minGpus >= 0 && band.maxGpus >= 0 ? gpusPerReplica : 0
}

/** Replicas of one pool of `gpus`-GPU workers, moved into the band. The ceiling is hard. */
export function clampSingle(replicas: number, gpus: number, band: GpuBand): number {
  const total = replicas * gpus
  if (band.maxGpus >= 0 && total > band.maxGpus) {
    if (band.minEndpoint * gpus > band.maxGpus) return 0
    return Math.max(band.minEndpoint, Math.floor(band.maxGpus / gpus))
  }
  if (band.minGpus >= 0 && total < band.minGpus - toleranceGpus(band, gpus)) {
    const most = band.maxGpus >= 0 ? Math.floor(band.maxGpus / gpus) : Number.POSITIVE_INFINITY
    return Math.min(most, Math.max(band.minEndpoint, Math.ceil(band.minGpus / gpus)))
  }
  return replicas
}

/** Prefill and decode replicas, moved into the band together in their present proportion. */
export function clampPair(
  prefill: number,
  decode: number,
  prefillGpus: number,
  decodeGpus: number,
  band: GpuBand,
): readonly [number, number] {
  const { minGpus, maxGpus, minEndpoint } = band
  const total = prefill * prefillGpus + decode * decodeGpus
  if (maxGpus >= 0 && total > maxGpus) {
    if (minEndpoint * (prefillGpus + decodeGpus) > maxGpus) return [0, 0]
    const share = Math.floor(prefill * (maxGpus / total))
    const room = Math.floor((maxGpus - minEndpoint * decodeGpus) / prefillGpus)
    const newPrefill = Math.max(minEndpoint, Math.min(room, share))
    return [newPrefill, Math.max(minEndpoint, Math.floor((maxGpus - newPrefill * prefillGpus) / decodeGpus))]
  }
  if (minGpus >= 0 && total < minGpus - toleranceGpus(band, Math.max(prefillGpus, decodeGpus))) {
    const wanted = total <= 0 ? Math.ceil(minGpus / 2 / prefillGpus) : Math.ceil(prefill * (minGpus / total))
    const newPrefill = Math.max(minEndpoint, wanted)
    const rest = Math.max(0, minGpus - newPrefill * prefillGpus)
    const newDecode = Math.max(minEndpoint, Math.ceil(rest / decodeGpus))
    if (maxGpus >= 0 && newPrefill * prefillGpus + newDecode * decodeGpus > maxGpus) return [prefill, decode]
    return [newPrefill, newDecode]
  }
  return [prefill, decode]
}
