import { SpicaConfigError } from '@spica/schema'
import { describe, expect, it } from 'vitest'
import { parseShapeText, shapeName } from '../src/index.js'

describe('parseShapeText', () => {
  it('reads what shapeName writes, and less', () => {
    const shape = { tp: 1, attentionDp: 8, moeTp: 1, moeEp: 8 }
    expect(parseShapeText(shapeName(shape))).toEqual({ ...shape, replicas: 1 })
    expect(parseShapeText(' tp = 8, moe_ep=8 ,replicas=2')).toEqual({
      tp: 8,
      attentionDp: 1,
      moeTp: 1,
      moeEp: 8,
      replicas: 2,
    })
  })

  it.each([
    ['', 'shape: cannot read ""'],
    ['tp', 'shape: cannot read "tp"'],
    ['tp=4,tp=2', 'shape: tp is given twice'],
    ['moe_ep=8', 'shape.tp: tp is missing'],
    ['tp=0', 'shape.tp: expected an integer of at least 1, found 0'],
    ['tp=2.5', 'shape.tp: expected an integer of at least 1, found 2.5'],
    ['tp=x', 'shape.tp: expected an integer of at least 1, found text "x"'],
    ['tp=1,ep=8', 'shape.ep: unknown key ep (did you mean moe_ep?)'],
    ['tp=1,__proto__=8', 'shape.__proto__: unknown key __proto__'],
    ['tp=1,pp=2', 'shape.pp: pp is 2; pipeline parallelism is not supported'],
  ])('refuses %j', (text, message) => {
    expect(() => parseShapeText(text)).toThrow(SpicaConfigError)
    expect(() => parseShapeText(text)).toThrow(message)
  })
})
