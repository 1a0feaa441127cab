import { knownKeys } from '../config/known-keys.js'
import { SECTION_SCHEMAS, type SectionName } from '../config/sections.js'
import { closestMatch } from './closest-match.js'
import type { ConfigPath, Finding } from './finding.js'

/** Reports the key at the end of `path`, with the nearest known name or the section it belongs to. */
export function unknownKey(path: ConfigPath): Finding {
  return { code: 'unknown-key', path, message: 'is not a known key', hint: keyHint(path), at: 'key' }
}

function keyHint(path: ConfigPath): string | undefined {
  const key = String(path.at(-1))
  const neighbours = knownKeys(path.slice(0, -1))
  if (neighbours.includes(key)) return `${key} does not go with the other keys of this mapping`
  const owner = path.length <= 2 ? owningSection(key, path) : undefined
  if (owner !== undefined) return `${key} belongs under ${owner}`
  const near = closestMatch(key, neighbours) ?? extended(key, neighbours)
  if (near !== undefined) return `did you mean ${near}?`
  if (neighbours.length > 0 && neighbours.length <= 8) return `known keys: ${neighbours.join(', ')}`
  return undefined
}

/** The only neighbour that the key begins, or that begins the key, e.g. `ttft` for `ttft_ms`. */
function extended(key: string, neighbours: readonly string[]): string | undefined {
  if (key.length < 3) return undefined
  const fitting = neighbours.filter((name) => name.startsWith(key) || key.startsWith(name))
  return fitting.length === 1 ? fitting[0] : undefined
}

function owningSection(key: string, path: ConfigPath): string | undefined {
  const here = path.length === 2 ? path[0] : undefined
  const sections = Object.keys(SECTION_SCHEMAS) as SectionName[]
  return sections.find((name) => name !== here && Object.hasOwn(SECTION_SCHEMAS[name].shape, key))
}
