import { SpicaError } from '@spica/schema'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { modelConfigs } from '../../src/data/model-configs.js'
import { listModels, parseModelConfig } from '../../src/index.js'

const anyConfig = fc.constantFrom(...modelConfigs)

/** Values that broken files hold. */
const anything = fc.oneof(
  fc.constant(null),
  fc.integer({ min: -10, max: 1_000_000 }),
  fc.double(),
  fc.string({ maxLength: 12 }),
  fc.boolean(),
  fc.array(fc.oneof(fc.integer(), fc.string({ maxLength: 4 })), { maxLength: 70 }),
  fc.dictionary(fc.string({ maxLength: 6 }), fc.integer(), { maxKeys: 3 }),
)

describe('parseModelConfig on broken configs', () => {
  it('either reads them or says what is wrong', () => {
    fc.assert(
      fc.property(anyConfig, fc.nat(), anything, fc.boolean(), ({ config, hfQuantConfig }, pick, value, remove) => {
        const nested = config['text_config'] as Record<string, unknown> | undefined
        const fields = nested ?? config
        const keys = Object.keys(fields)
        const key = keys[pick % keys.length]!
        const broken: Record<string, unknown> = { ...fields }
        if (remove) delete broken[key]
        else broken[key] = value
        const whole = nested === undefined ? broken : { ...config, text_config: broken }
        try {
          const spec = parseModelConfig(whole, hfQuantConfig)
          for (const figure of [spec.layers, spec.heads, spec.kvHeads, spec.headDim, spec.hiddenSize, spec.vocabSize]) {
            expect(Number.isInteger(figure) && figure > 0).toBe(true)
          }
        } catch (error) {
          expect(error).toBeInstanceOf(SpicaError)
          expect((error as SpicaError).kind).toBe('input')
        }
      }),
      { numRuns: 2000 },
    )
  })

  it('nesting a config changes nothing but its path', () => {
    fc.assert(
      fc.property(anyConfig, ({ config, hfQuantConfig, name }) => {
        const flat = parseModelConfig(config, hfQuantConfig, { name })
        const nested = { architectures: config['architectures'], text_config: config }
        expect(parseModelConfig(nested, hfQuantConfig, { name })).toEqual(flat)
      }),
    )
  })
})

describe('every model of the catalogue', () => {
  it.each(listModels().map((model) => [model.name, model] as const))(
    '%s has as many layers as it says',
    (_name, model) => {
      const mixers = model.layerGroups.reduce((sum, group) => sum + group.count, 0)
      expect(mixers).toBe(model.layers)
      const dense = (model.denseFfn ?? []).reduce((sum, group) => sum + group.count, 0)
      expect(dense + (model.moe?.layers ?? 0)).toBeLessThanOrEqual(model.layers)
      expect(dense + (model.moe?.layers ?? 0)).toBeGreaterThan(0)
    },
  )
})
