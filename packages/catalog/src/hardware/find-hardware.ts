import { type HardwareSpec, SpicaError } from '@spica/schema'
import { hardwareSkus } from '../data/hardware-skus.js'
import { closeMatches } from '../lookup/close-matches.js'

/** All GPU types of the catalogue, sorted by SKU. */
export function listHardware(): readonly HardwareSpec[] {
  return hardwareSkus
}

/**
 * The GPU type of that SKU; case and `-` for `_` do not matter. Throws `SpicaError` `unknown-hardware` listing the known SKUs
 * otherwise: another GPU's figures are never used instead.
 */
export function findHardware(sku: string): HardwareSpec {
  const found = lookUp(sku)
  if (found !== undefined) return found
  const known = hardwareSkus.map((hardware) => hardware.sku)
  const close = closeMatches(sku, known)
  throw new SpicaError('input', 'unknown-hardware', `unknown hardware_sku "${sku}"; known SKUs: ${known.join(', ')}`, {
    hint:
      close.length > 0
        ? `did you mean ${close.join(' or ')}? For a GPU of your own give the path to a YAML file with its figures`
        : 'for a GPU of your own give the path to a YAML file with its figures',
    details: { sku, known, closeMatches: close },
  })
}

/** True when `findHardware` would succeed. */
export function isKnownHardware(sku: string): boolean {
  return lookUp(sku) !== undefined
}

function lookUp(sku: string): HardwareSpec | undefined {
  const wanted = sku.trim().toLowerCase().replace(/-/g, '_')
  return hardwareSkus.find((hardware) => hardware.sku === wanted)
}
