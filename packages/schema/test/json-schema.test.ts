import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { configJsonSchema } from '../src/index.js'

interface Node {
  description?: string
  required?: string[]
  additionalProperties?: boolean
  properties?: Record<string, Node>
  items?: { enum?: unknown[] }
}

function properties(node: Node): Record<string, Node> {
  return node.properties ?? {}
}

describe('schema/spica.schema.json', () => {
  it('is up to date (pnpm --filter @spica/schema schema writes it)', () => {
    const text = readFileSync(new URL('../schema/spica.schema.json', import.meta.url), 'utf8')
    expect(JSON.parse(text)).toEqual(configJsonSchema())
  })

  it('is draft-7, requires what has no default and forbids unknown keys', () => {
    const schema = configJsonSchema() as Node & { $schema: string }
    expect(schema.$schema).toContain('draft-07')
    expect(schema.required).toEqual(['search_space', 'workload'])
    const sections = properties(schema)
    expect(sections['search_space']?.required).toEqual(['model_name', 'hardware_sku'])
    for (const section of Object.values(sections)) expect(section.additionalProperties).toBe(false)
    expect(properties(sections['search_space']!)['backend']?.items?.enum).toEqual(['vllm', 'sglang', 'trtllm'])
    const seed = properties(sections['sweep']!)['random_seed']
    expect(seed).toEqual({ type: 'integer', default: 1, description: expect.any(String) })
    expect(JSON.stringify(properties(sections['workload']!)['kv_load_ratio'])).toContain('"minItems":2')
  })

  it('describes every field', () => {
    for (const section of Object.values(properties(configJsonSchema() as Node))) {
      for (const [name, field] of Object.entries(properties(section))) {
        expect(field.description, name).toEqual(expect.any(String))
      }
    }
  })
})
