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

function lookUp(name: string): CatalogModel | undefined {
  const wanted = normaliseModelName(name)
  if (wanted === '') return undefined
  const exact = modelConfigs.find((model) => namesOf(model).some((known) => normaliseModelName(known) === wanted))
  if (exact !== undefined || wanted.includes('/')) return exact
  const byBase = modelConfigs.filter((model) =>
    namesOf(model).some((known) => baseName(normaliseModelName(known)) === wanted),
  )
  return byBase.length === 1 ? byBase[0] : undefined
}

function namesOf(model: CatalogModel): readonly string[] {
  return [model.name, ...model.aliases]
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
