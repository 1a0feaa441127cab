import { type ConfigIssue, type HardwareSpec, type SourceLocation, SpicaConfigError } from '@spica/schema'
import { isMap, isScalar, LineCounter, parseDocument } from 'yaml'
import { closeMatches } from '../lookup/close-matches.js'
import { HARDWARE_FIELDS, REQUIRED_HARDWARE_FIELDS } from './hardware-fields.js'

/** Longest GPU file read; a real one has twenty lines. */
const MAX_CHARACTERS = 100_000

/** NCCL buffers measured at tensor-parallel sizes 2, 4 and 8. */
const NCCL_BYTES: Readonly<Record<string, number>> = {
  '1': 0,
  '2': 342 * 2 ** 20,
  '4': 392 * 2 ** 20,
  '8': 392 * 2 ** 20,
}

/**
 * Reads the YAML of a user's own GPU: `name`, `vram_gib`, `mem_bw_gbps` (GB/s), `bf16_tflops` (or `fp16_tflops`) and, optionally,
 * the other keys of `HARDWARE_FIELDS`. Strict: every unknown key, repeated key and wrong value is reported at once, with its
 * line, in one `SpicaConfigError`.
 */
export function parseHardwareYaml(text: string, file?: string): HardwareSpec {
  const lines = new LineCounter()
  const at = (offset: number | undefined, path?: string): SourceLocation => {
    const position = offset === undefined ? undefined : lines.linePos(offset)
    return {
      ...(file === undefined ? {} : { file }),
      ...(position === undefined ? {} : { line: position.line, column: position.col }),
      ...(path === undefined ? {} : { path }),
    }
  }
  const fail = (code: string, message: string, location: SourceLocation): never => {
    throw new SpicaConfigError([{ code, message, location }])
  }
  if (text.length > MAX_CHARACTERS)
    fail('hardware-file-too-large', 'a GPU file has at most 100,000 characters', at(undefined))
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true })
  if (document.errors.length > 0) {
    throw new SpicaConfigError(
      document.errors.map((error) => ({
        code: 'yaml-syntax',
        message: error.message.split('\n')[0]!,
        location: at(error.pos[0]),
      })),
    )
  }
  const root = document.contents
  if (!isMap(root)) return fail('hardware-not-a-mapping', 'a GPU file must be a mapping of keys to figures', at(0))
  const issues: ConfigIssue[] = []
  const figures: Record<string, number> = {}
  let name: string | undefined
  for (const pair of root.items) {
    const key = isScalar(pair.key) ? String(pair.key.value) : ''
    const offset = isScalar(pair.key) ? pair.key.range?.[0] : undefined
    const value = isScalar(pair.value) ? pair.value.value : undefined
    if (key === 'name' || key === 'sku') {
      if (typeof value === 'string' && /^[\w.-]{1,100}$/.test(value)) name = value
      else
        issues.push({
          code: 'hardware-value',
          message: 'must be a word of letters, digits, _, . and -',
          location: at(offset, key),
        })
      continue
    }
    const field = Object.hasOwn(HARDWARE_FIELDS, key) ? HARDWARE_FIELDS[key] : undefined
    if (field === undefined) {
      const close = closeMatches(key, Object.keys(HARDWARE_FIELDS), 1)
      issues.push({
        code: 'unknown-key',
        message: `unknown key "${key}"`,
        location: at(offset, key),
        hint:
          close.length > 0
            ? `did you mean ${close[0]}?`
            : `known keys: name, ${Object.keys(HARDWARE_FIELDS).join(', ')}`,
      })
      continue
    }
    const problem = figureProblem(value, field.integer === true, field.mayBeZero === true)
    if (problem !== undefined) issues.push({ code: 'hardware-value', message: problem, location: at(offset, key) })
    else figures[key] = (value as number) * field.scale
  }
  if (name === undefined && !issues.some((issue) => issue.location.path === 'name')) {
    issues.push({ code: 'missing-key', message: 'name is missing', location: at(0, 'name') })
  }
  for (const key of missingKeys(figures)) {
    if (issues.some((issue) => issue.location.path === key)) continue
    issues.push({ code: 'missing-key', message: `${key} is missing`, location: at(0, key) })
  }
  if ((figures['mem_efficiency'] ?? 1) > 1) {
    issues.push({ code: 'hardware-value', message: 'must be at most 1', location: at(undefined, 'mem_efficiency') })
  }
  if (issues.length > 0) throw new SpicaConfigError(issues)
  return hardwareOf(name!, figures)
}

function figureProblem(value: unknown, integer: boolean, mayBeZero: boolean): string | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'must be a finite number'
  if (mayBeZero ? value < 0 : value <= 0) return mayBeZero ? 'must not be negative' : 'must be above 0'
  if (value > 1e9) return 'is beyond any GPU; check its unit'
  return integer && !Number.isInteger(value) ? 'must be a whole number' : undefined
}

function missingKeys(figures: Readonly<Record<string, number>>): string[] {
  const missing = REQUIRED_HARDWARE_FIELDS.filter((key) => figures[key] === undefined)
  return figures['bf16_tflops'] === undefined && figures['fp16_tflops'] === undefined
    ? [...missing, 'bf16_tflops']
    : missing
}

/** Fills what the user left out: FP8 only where named, PCIe 4 between GPUs, 200 Gbit/s between nodes. */
function hardwareOf(sku: string, figures: Readonly<Record<string, number>>): HardwareSpec {
  const pcie = figures['pcie_bw_gbps'] ?? 32e9
  return {
    sku,
    gpu: {
      memoryBandwidthBytesPerSecond: figures['mem_bw_gbps']!,
      memoryEfficiency: figures['mem_efficiency'] ?? 0.8,
      memoryLatencySeconds: 3e-6,
      memoryCapacityBytes: Math.round(figures['vram_gib']!),
      bf16Flops: (figures['bf16_tflops'] ?? figures['fp16_tflops'])!,
      int8Flops: figures['int8_tops'] ?? null,
      fp8Flops: figures['fp8_tflops'] ?? null,
      fp4Flops: figures['fp4_tflops'] ?? null,
      powerWatts: figures['power_watts'] ?? null,
      smVersion: figures['sm_version'] ?? 0,
    },
    node: {
      gpusPerNode: figures['gpus_per_node'] ?? 8,
      interNodeBandwidthBytesPerSecond: figures['inter_node_bw_gbps'] ?? 25e9,
      intraNodeBandwidthBytesPerSecond: figures['intra_node_bw_gbps'] ?? pcie,
      pcieBandwidthBytesPerSecond: pcie,
      p2pLatencySeconds: figures['p2p_latency_us'] ?? 1e-5,
      gpusPerRack: figures['gpus_per_rack'] ?? null,
    },
    memory: {
      ncclBytesByTp: NCCL_BYTES,
      runtimeOverheadBytes: Math.round(figures['runtime_overhead_gib'] ?? 3.5 * 2 ** 30),
    },
    ncclVersion: null,
    latestPerfDatabase: { vllm: null, sglang: null, trtllm: null },
    custom: true,
  }
}
