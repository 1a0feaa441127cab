import { SpicaConfigError, SpicaError } from '@spica/schema'
import { describe, expect, it } from 'vitest'
import { findHardware, listHardware, parseHardwareYaml } from '../../src/index.js'

const A40 = 'name: a40\nvram_gib: 48\ngpus_per_node: 4\nmem_bw_gbps: 696\nfp16_tflops: 149\n'

function issuesOf(text: string) {
  try {
    parseHardwareYaml(text, 'gpu.yaml')
  } catch (error) {
    if (error instanceof SpicaConfigError) return error.issues
    throw error
  }
  throw new Error('the file was accepted')
}

describe('findHardware', () => {
  it('ignores case and dashes', () => {
    expect(findHardware('H200-SXM').sku).toBe('h200_sxm')
    expect(listHardware()).toHaveLength(14)
  })

  it('lists the known SKUs for an unknown one', () => {
    try {
      findHardware('a40')
      expect.unreachable()
    } catch (error) {
      expect(error).toBeInstanceOf(SpicaError)
      expect((error as SpicaError).code).toBe('unknown-hardware')
      for (const { sku } of listHardware()) expect((error as SpicaError).message).toContain(sku)
    }
  })
})

describe('parseHardwareYaml', () => {
  it('reads a short file', () => {
    const hardware = parseHardwareYaml(A40)
    expect(hardware).toMatchObject({
      sku: 'a40',
      custom: true,
      node: { gpusPerNode: 4 },
      latestPerfDatabase: { vllm: null },
    })
    expect(hardware.gpu).toMatchObject({
      memoryCapacityBytes: 48 * 2 ** 30,
      memoryBandwidthBytesPerSecond: 696e9,
      bf16Flops: 149e12,
      fp8Flops: null,
    })
    expect(hardware.memory.ncclBytesByTp).toEqual(findHardware('h200_sxm').memory.ncclBytesByTp)
  })

  it('reports all mistakes at once, each with its line', () => {
    const issues = issuesOf(
      'name: my gpu\nvram_gb: 48\nmem_bw_gbps: .nan\nfp16_tflops: "149"\ngpus_per_node: 1.5\npower_watts: -3\n',
    )
    expect(issues.map((issue) => [issue.location.line, issue.location.path, issue.code])).toEqual([
      [1, 'name', 'hardware-value'],
      [2, 'vram_gb', 'unknown-key'],
      [3, 'mem_bw_gbps', 'hardware-value'],
      [4, 'fp16_tflops', 'hardware-value'],
      [5, 'gpus_per_node', 'hardware-value'],
      [6, 'power_watts', 'hardware-value'],
      [1, 'vram_gib', 'missing-key'],
    ])
    expect(issues[1]!.hint).toContain('vram_gib')
  })

  it('loads system files of AIConfigurator unchanged', () => {
    const text = [
      'data_dir: data/mine',
      'gpu:',
      '  mem_bw: 4800000000000',
      '  mem_bw_empirical_scaling_factor: 0.8',
      '  mem_empirical_constant_latency: 3.0e-06',
      '  mem_capacity: 151397597184',
      '  bfloat16_tc_flops: 989000000000000',
      '  fp8_tc_flops: 1978000000000000',
      '  power: 700',
      '  sm_version: 90',
      'node:',
      '  num_gpus_per_node: 8',
      '  inter_node_bw: 50000000000',
      '  intra_node_bw: 450000000000',
      '  p2p_latency: 0.00001',
      'misc:',
      '  nccl_mem: {1: 0, 2: 358612992}',
      '  other_mem: 3758096384',
      '  nccl_version: 2.26.2',
    ].join('\n')
    const ours = parseHardwareYaml(text, 'dir/mine.yaml')
    const known = findHardware('h200_sxm')
    expect(ours.sku).toBe('mine')
    expect(ours.gpu).toEqual({ ...known.gpu, int8Flops: null })
    expect(ours.memory).toEqual({ ...known.memory, ncclBytesByTp: { '1': 0, '2': 358612992 } })
    expect(issuesOf(text.replace('2: 358612992', 'two: 3'))[0]!.location.path).toBe('misc.nccl_mem.two')
    expect(ours.node.intraNodeBandwidthBytesPerSecond).toBe(known.node.intraNodeBandwidthBytesPerSecond)
    expect(issuesOf('gpu: 3\n')[0]!.location.path).toBe('gpu')
    expect(issuesOf(text.replace('mem_capacity', 'mem_capcity'))[0]).toMatchObject({
      code: 'unknown-key',
      location: { line: 6, path: 'gpu.mem_capcity' },
    })
    expect(issuesOf(`vram_gib: 3\n${text}`).map((issue) => issue.code)).toEqual(['repeated-key'])
  })

  it('refuses repeated keys, lists, empty files, broken YAML, aliases and huge files', () => {
    expect(issuesOf(`${A40}vram_gib: 40\n`)[0]!.location.line).toBe(6)
    expect(issuesOf(`${A40}constructor: 3\n`)[0]!.code).toBe('unknown-key')
    expect(issuesOf('- a\n')[0]!.code).toBe('hardware-not-a-mapping')
    expect(issuesOf('')[0]!.code).toBe('hardware-not-a-mapping')
    expect(issuesOf('name: [\n')[0]!.code).toBe('yaml-syntax')
    expect(issuesOf('a: &x 1\nvram_gib: *x\n').length).toBeGreaterThan(0)
    expect(issuesOf(`# ${'x'.repeat(200_000)}`)[0]!.code).toBe('hardware-file-too-large')
    expect(issuesOf(A40.replace('48', '1e300'))[0]!.message).toContain('unit')
    expect(issuesOf(`${A40}mem_efficiency: 1.2\n`)[0]!.location.path).toBe('mem_efficiency')
  })
})
