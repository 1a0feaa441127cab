import { type ModelSpec, SpicaError } from '@spica/schema'
import { parseModelConfig } from '../config/parse-model-config.js'
import { type CatalogModel, modelConfigs } from '../data/model-configs.js'
import { closeMatches } from './close-matches.js'
import { baseName, normaliseModelName } from './model-name.js'

/** Names of all models in the catalogue, sorted. */
export function modelNames(): readonly string[] {
  return modelConfigs.map((model) => model.name)
}

/** All models of the catalogue, sorted by name. */
export function listModels(): readonly ModelSpec[] {
  return modelConfigs.map(specOf)
}

/**
 * The model of that name. Case, `hf:`-like prefixes and Hub addresses do not matter, and a name without its organisation is
 * enough where it is unique. Throws `SpicaError` `unknown-model` with close matches otherwise; no other model's figures are used.
 */
export function findModel(name: string): ModelSpec {
  const model = lookUp(name)
  if (model !== undefined) return specOf(model)
  const close = closeMatches(
    baseName(normaliseModelName(name)),
    modelConfigs.map((entry) => entry.name).flatMap(namePair),
  )
  const names = [...new Set(close.map(fullName))]
  throw new SpicaError('input', 'unknown-model', `the catalogue has no model "${name}"`, {
    hint:
      names.length > 0
        ? `did you mean ${names.join(' or ')}? A path to the model's config.json works too`
        : "give the path to the model's config.json instead, or list the known models with `spica catalog models`",
    details: { name, closeMatches: names },
  })
}

/** True when `findModel` would succeed. */
export function isKnownModel(name: string): boolean {
  return lookUp(name) !== undefined
}

/** Every spelling in its compared form; names without organisation only where they are unique. */
const BY_NAME: ReadonlyMap<string, CatalogModel> = indexByName()

function indexByName(): Map<string, CatalogModel> {
  const index = new Map<string, CatalogModel>()
  const byBase = new Map<string, Set<CatalogModel>>()
  for (const model of modelConfigs) {
    for (const known of [model.name, ...model.aliases]) {
      const name = normaliseModelName(known)
      index.set(name, model)
      const base = baseName(name)
      byBase.set(base, (byBase.get(base) ?? new Set()).add(model))
    }
  }
  for (const [base, models] of byBase) {
    const [only, ...others] = models
    if (only !== undefined && others.length === 0 && !index.has(base)) index.set(base, only)
  }
  return index
}

function lookUp(name: string): CatalogModel | undefined {
  return BY_NAME.get(normaliseModelName(name))
}

function specOf(model: CatalogModel): ModelSpec {
  return parseModelConfig(model.config, model.hfQuantConfig, { name: model.name })
}

/** Names are compared with and without their organisation. */
function namePair(name: string): string[] {
  return [name, baseName(name)]
}

function fullName(name: string): string {
  return modelConfigs.find((model) => model.name === name || baseName(model.name) === name)!.name
}
