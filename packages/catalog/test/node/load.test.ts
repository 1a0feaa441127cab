import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SpicaError } from '@spica/schema'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadHardware, loadModel } from '../../src/node/index.js'
import { DENSE } from '../config/base-configs.js'

let baseDir = ''

beforeAll(() => {
  baseDir = mkdtempSync(join(tmpdir(), 'spica-catalog-'))
  mkdirSync(join(baseDir, 'mine'))
  writeFileSync(join(baseDir, 'mine', 'config.json'), JSON.stringify(DENSE))
  writeFileSync(
    join(baseDir, 'mine', 'hf_quant_config.json'),
    JSON.stringify({ quantization: { quant_algo: 'FP8', kv_cache_quant_algo: 'FP8' } }),
  )
  mkdirSync(join(baseDir, 'old'))
  writeFileSync(join(baseDir, 'old', 'config.json'), JSON.stringify(DENSE))
  writeFileSync(join(baseDir, 'old', 'quantize_config.json'), JSON.stringify({ bits: 4, group_size: 64 }))
  mkdirSync(join(baseDir, 'older'))
  writeFileSync(join(baseDir, 'older', 'config.json'), JSON.stringify(DENSE))
  writeFileSync(
    join(baseDir, 'older', 'quant_config.json'),
    JSON.stringify({ w_bit: 4, q_group_size: 128, version: 'GEMM' }),
  )
  mkdirSync(join(baseDir, 'empty'))
  writeFileSync(join(baseDir, 'broken.json'), '{\n  "hidden_size": 1,\n  oops\n}')
  writeFileSync(join(baseDir, 'binary.json'), Buffer.from([0xff, 0xfe, 0x00]))
  writeFileSync(join(baseDir, 'gpu.yaml'), 'name: mine\nvram_gib: 24\nmem_bw_gbps: 600\nbf16_tflops: 100\n')
  writeFileSync(join(baseDir, 'bad.yaml'), 'name: mine\nvram_gib: 24\n')
})

afterAll(() => {
  rmSync(baseDir, { recursive: true, force: true })
})

function failure(action: () => unknown): SpicaError {
  try {
    action()
  } catch (error) {
    if (error instanceof SpicaError) return error
    throw error
  }
  throw new Error('nothing failed')
}

describe('loadModel', () => {
  it('takes a folder, a file, or a catalogue name', () => {
    expect(loadModel('./mine', { baseDir })).toMatchObject({
      name: './mine',
      hiddenSize: 1024,
      quantization: { gemm: 'fp8', kv: 'fp8' },
    })
    expect(loadModel('mine/config.json', { baseDir }).quantization.gemm).toBe('fp8')
    expect(loadModel('mine', { baseDir }).hiddenSize).toBe(1024)
    expect(loadModel(join(baseDir, 'mine')).layers).toBe(12)
    expect(loadModel('Qwen/Qwen3-32B', { baseDir }).layers).toBe(64)
  })

  it('reads the side files of older tools', () => {
    expect(loadModel('./old', { baseDir }).quantization).toMatchObject({
      gemm: 'int4_wo',
      groupSize: 64,
      kv: 'bfloat16',
    })
    expect(loadModel('./older', { baseDir }).quantization).toMatchObject({ gemm: 'int4_wo', groupSize: 128 })
  })

  it('names the file and the line of what is wrong', () => {
    const broken = failure(() => loadModel('broken.json', { baseDir }))
    expect(broken.code).toBe('invalid-model-config')
    expect(broken.location).toMatchObject({ file: join(baseDir, 'broken.json'), line: 3 })
    expect(failure(() => loadModel('./empty', { baseDir })).message).toContain('no config.json')
    expect(failure(() => loadModel('./nowhere', { baseDir })).message).toContain('does not exist')
    expect(failure(() => loadModel('binary.json', { baseDir })).code).toBe('unreadable-file')
    expect(failure(() => loadModel('No/SuchModel', { baseDir })).code).toBe('unknown-model')
  })
})

describe('loadHardware', () => {
  it('takes a SKU or a file', () => {
    expect(loadHardware('gpu.yaml', { baseDir })).toMatchObject({ sku: 'mine', custom: true })
    expect(loadHardware('h100_sxm', { baseDir }).custom).toBe(false)
  })

  it('says what is wrong, and where', () => {
    expect(failure(() => loadHardware('bad.yaml', { baseDir })).message).toContain('bad.yaml:1:1 mem_bw_gbps')
    expect(failure(() => loadHardware('none.yaml', { baseDir })).code).toBe('unknown-hardware')
    expect(failure(() => loadHardware('h300', { baseDir })).message).toContain('h200_sxm')
    expect(failure(() => loadHardware('./mine', { baseDir })).code).toBe('unreadable-file')
  })
})
