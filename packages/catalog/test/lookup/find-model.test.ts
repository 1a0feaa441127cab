import { SpicaError } from '@spica/schema'
import { describe, expect, it } from 'vitest'
import { closeMatches, findModel, isKnownModel, listModels, modelNames, normaliseModelName } from '../../src/index.js'

describe('findModel', () => {
  it.each([
    'Qwen/Qwen3-32B',
    'qwen/qwen3-32b',
    ' Qwen/Qwen3-32B ',
    'hf:Qwen/Qwen3-32B',
    'hf://Qwen/Qwen3-32B',
    'huggingface/Qwen/Qwen3-32B',
    'https://huggingface.co/Qwen/Qwen3-32B',
    'https://huggingface.co/Qwen/Qwen3-32B/',
    'https://huggingface.co/Qwen/Qwen3-32B/tree/main',
    'huggingface.co/Qwen/Qwen3-32B',
    'https://hf.co/Qwen/Qwen3-32B',
    'models--Qwen--Qwen3-32B',
    'Qwen--Qwen3-32B',
    'Qwen/Qwen3-32B@main',
    'qwen3-32b',
  ])('takes %s', (name) => {
    expect(findModel(name).name).toBe('Qwen/Qwen3-32B')
  })

  it('knows other names of the same model', () => {
    expect(findModel('meta-llama/Llama-3.1-8B-Instruct').name).toBe('meta-llama/Meta-Llama-3.1-8B')
    expect(findModel('llama-2-7b-hf').layers).toBe(32)
  })

  it('hints at close names and never takes one', () => {
    const failure = (name: string): SpicaError => {
      try {
        findModel(name)
      } catch (error) {
        return error as SpicaError
      }
      throw new Error('found')
    }
    const error = failure('deepseek-ai/DeepSeek-V33')
    expect(error).toBeInstanceOf(SpicaError)
    expect(error.code).toBe('unknown-model')
    expect(error.kind).toBe('input')
    expect(error.hint).toContain('deepseek-ai/DeepSeek-V3')
    expect(failure('').code).toBe('unknown-model')
    expect(failure('xyzzy').hint).toContain('config.json')
    expect(failure('constructor').code).toBe('unknown-model')
    expect(failure('Other/Qwen3-32B').code).toBe('unknown-model')
    expect(isKnownModel('xyzzy')).toBe(false)
  })

  it('finds every model it lists, sorted', () => {
    const names = modelNames()
    expect(names.length).toBeGreaterThanOrEqual(75)
    for (const name of names) expect(findModel(name.toUpperCase()).name).toBe(name)
    expect(listModels().map((model) => model.name)).toEqual(names)
    expect([...names].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1))).toEqual(names)
  })
})

describe('closeMatches', () => {
  it('orders by likeness and gives nothing for strangers', () => {
    expect(closeMatches('gpu_buget', ['gpu_budget', 'min_gpu_budget', 'backend'])[0]).toBe('gpu_budget')
    expect(closeMatches('zzzz', ['gpu_budget', 'backend'])).toEqual([])
    expect(closeMatches('', ['a'])).toEqual([])
  })
})

describe('normaliseModelName', () => {
  it('keeps names with a dash pair inside an organisation apart from cache names', () => {
    expect(normaliseModelName('a/b--c')).toBe('a/b--c')
    expect(normaliseModelName('a--b--c')).toBe('a/b--c')
  })
})
