import { type Objective, type OptimizerOptions, type Parameter, SpicaError } from '@spica/schema'

function fail(code: string, message: string, hint?: string): never {
  throw new SpicaError('input', code, message, hint === undefined ? {} : { hint })
}

function checkRange(p: { name: string; min: number; max: number }): void {
  if (!Number.isFinite(p.min) || !Number.isFinite(p.max)) {
    fail('bad-parameter', `parameter ${p.name}: min and max must be finite numbers, got ${p.min} and ${p.max}`)
  }
  if (p.min > p.max) fail('bad-parameter', `parameter ${p.name}: min ${p.min} is above max ${p.max}`)
  if (!Number.isFinite(p.max - p.min)) fail('bad-parameter', `parameter ${p.name}: max - min overflows`)
}

function checkScale(p: { name: string; scale?: 'linear' | 'log' }, smallest: number): void {
  if (p.scale !== undefined && p.scale !== 'linear' && p.scale !== 'log') {
    fail('bad-parameter', `parameter ${p.name}: scale must be linear or log, got ${String(p.scale)}`)
  }
  if (p.scale === 'log' && !(smallest > 0)) {
    fail('bad-parameter', `parameter ${p.name}: a log scale needs values above 0, got ${smallest}`)
  }
}

function checkValues(p: { name: string; values: readonly (number | string)[] }, type: 'number' | 'string'): void {
  if (!Array.isArray(p.values) || p.values.length === 0) fail('bad-parameter', `parameter ${p.name}: values is empty`)
  for (const value of p.values) {
    if (typeof value !== type || (type === 'number' && !Number.isFinite(value))) {
      fail(
        'bad-parameter',
        `parameter ${p.name}: every value must be a ${type === 'number' ? 'finite number' : 'string'}`,
      )
    }
  }
  if (new Set(p.values).size !== p.values.length) fail('bad-parameter', `parameter ${p.name}: a value is listed twice`)
}

function checkDefault(p: Parameter): void {
  const value = p.default
  if (value === undefined) return
  const bad = (why: string): never => fail('bad-default', `parameter ${p.name}: default ${String(value)} ${why}`)
  if (p.kind === 'categorical' || p.kind === 'discrete') {
    if (!(p.values as readonly unknown[]).includes(value)) bad('is not one of its values')
    return
  }
  if (typeof value !== 'number' || !(value >= p.min && value <= p.max)) bad(`is outside [${p.min}, ${p.max}]`)
  if (p.kind === 'integer' && !Number.isInteger(value)) bad('is not an integer')
}

function checkParameter(p: Parameter): void {
  switch (p.kind) {
    case 'float':
      checkRange(p)
      checkScale(p, p.min)
      break
    case 'integer':
      checkRange(p)
      if (!Number.isSafeInteger(p.min) || !Number.isSafeInteger(p.max)) {
        fail('bad-parameter', `parameter ${p.name}: min and max must be integers, got ${p.min} and ${p.max}`)
      }
      break
    case 'discrete':
      checkValues(p, 'number')
      checkScale(p, Math.min(...p.values))
      break
    case 'categorical':
      checkValues(p, 'string')
      break
    default:
      fail('bad-parameter', `unknown parameter kind ${String((p as { kind: unknown }).kind)}`)
  }
  checkDefault(p)
}

function checkObjective(o: Objective): void {
  if (o.direction !== 'maximize' && o.direction !== 'minimize') {
    fail('bad-objective', `objective ${o.name}: direction must be maximize or minimize, got ${String(o.direction)}`)
  }
  if (o.referencePoint !== undefined && !Number.isFinite(o.referencePoint)) {
    fail('bad-objective', `objective ${o.name}: referencePoint must be a finite number, got ${o.referencePoint}`)
  }
}

function checkNames(what: string, items: readonly { name: string }[]): void {
  if (!Array.isArray(items) || items.length === 0) fail(`no-${what}s`, `an optimiser needs at least one ${what}`)
  const seen = new Set<string>()
  for (const { name } of items) {
    if (typeof name !== 'string' || name === '') fail(`bad-${what}`, `every ${what} needs a name`)
    if (seen.has(name)) fail(`bad-${what}`, `${what} ${name} is declared twice`)
    seen.add(name)
  }
}

/** Throws `SpicaError` (kind `input`) on the first thing that is wrong with the options. */
export function validateOptions(options: OptimizerOptions): void {
  checkNames('parameter', options.parameters)
  checkNames('objective', options.objectives)
  options.parameters.forEach(checkParameter)
  options.objectives.forEach(checkObjective)
  if (!Number.isSafeInteger(options.seed)) fail('bad-seed', `seed must be a safe integer, got ${String(options.seed)}`)
}
