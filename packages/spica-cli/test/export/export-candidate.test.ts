import { execFileSync } from 'node:child_process'
import type { UnrolledSample } from '@spica/schema'
import * as fc from 'fast-check'
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap'
import { Pod } from 'kubernetes-models/v1/Pod'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { shellQuote } from '../../src/export/engine-commands.js'
import { exportCandidate } from '../../src/export/export-candidate.js'
import { readManifest } from '../../src/export/read-manifest.js'
import { brokenRules } from './manifest-rules.js'
import { sample } from './sample.js'

const FACTS = { candidate: 3, gpusPerNode: 8, modelContextTokens: 131_072, plannerConfig: null }

function files(candidate: UnrolledSample, facts = FACTS, version = '1.3.1'): Record<string, string> {
  const result = exportCandidate(candidate, facts, version)
  if (!result.ok) throw new Error(result.message)
  return Object.fromEntries(result.files.map((file) => [file.name, file.text]))
}

const first = (): UnrolledSample => fc.sample(sample, { numRuns: 1, seed: 11 })[0] as UnrolledSample

describe('exportCandidate', () => {
  it('round-trips every shape, count and setting through both API versions', () => {
    fc.assert(
      fc.property(sample, (candidate) => {
        const written = files(candidate)
        const roles = candidate.deployment_mode === 'agg' ? (['agg'] as const) : (['prefill', 'decode'] as const)
        for (const name of ['deployment.yaml', 'deployment-v1alpha1.yaml']) {
          const moe = roles.some((role) => {
            const prefix = role === 'agg' ? '' : `${role}_`
            return Number(candidate[`${prefix}moe_tp`]) * Number(candidate[`${prefix}moe_ep`]) > 1
          })
          const back = readManifest(written[name] ?? '', moe)
          expect(back.backend).toBe(candidate.backend)
          expect(back.pools.map((pool) => pool.role)).toEqual([...roles])
          let total = 0
          for (const [index, role] of roles.entries()) {
            const prefix = role === 'agg' ? '' : `${role}_`
            const pool = back.pools[index]
            const gpus = Number(candidate[`${prefix}tp`]) * Number(candidate[`${prefix}attention_dp`])
            total += gpus * Number(candidate[`${prefix}replicas`])
            expect(pool).toMatchObject({
              tp: candidate[`${prefix}tp`],
              attentionDp: candidate[`${prefix}attention_dp`],
              moeEp: candidate[`${prefix}moe_ep`],
              replicas: candidate[`${prefix}replicas`],
              gpus: gpus * Number(candidate[`${prefix}replicas`]),
              maxNumBatchedTokens: candidate[`${role}_max_num_batched_tokens`],
              maxNumSeqs: candidate[`${role}_max_num_seqs`],
              blockSize: candidate[`${role}_block_size`],
              gpuMemoryUtilization: candidate[`${role}_gpu_memory_utilization`],
              enablePrefixCaching: candidate[`${role}_enable_prefix_caching`],
              speculativeTokens: candidate.aic_nextn ?? 0,
            })
          }
          expect(back.totalGpus).toBe(total)
          expect(back.routerMode).toBe(candidate.router_mode === 'kv_router' ? 'kv' : 'round-robin')
        }
      }),
    )
  })

  it('obeys the admission rules, whatever the model is called', () => {
    fc.assert(
      fc.property(sample, (candidate) => {
        const objects = parseAllDocuments(files(candidate)['deployment.yaml'] ?? '').map(
          (document) => document.toJS() as Record<string, unknown>,
        )
        const graph = objects.find((object) => object['kind'] === 'DynamoGraphDeployment')
        expect(brokenRules(graph)).toEqual([])
        for (const object of objects) if (object['kind'] === 'ConfigMap') new ConfigMap(object).validate()
        const components = (graph as { spec: { components: { podTemplate: { spec: object } }[] } }).spec.components
        for (const { podTemplate } of components) {
          new Pod({ metadata: { name: 'x' }, spec: podTemplate.spec as never }).validate()
        }
      }),
      { numRuns: 60 },
    )
  })

  it('gives workers that span nodes a node count and a node of GPUs each', () => {
    const candidate = {
      ...first(),
      deployment_mode: 'agg',
      backend: 'vllm',
      tp: 16,
      attention_dp: 1,
      moe_tp: 1,
      moe_ep: 1,
      replicas: 2,
      agg_max_num_seqs: 8,
      agg_max_num_batched_tokens: 8192,
      agg_block_size: 64,
      agg_gpu_memory_utilization: 0.9,
    } as UnrolledSample
    const back = readManifest(files(candidate)['deployment.yaml'] ?? '', false)
    expect(back.totalGpus).toBe(32)
    expect(files(candidate)['deployment.yaml']).toContain('nodeCount: 2')
  })

  it('writes command lines that a shell takes apart again', () => {
    fc.assert(
      fc.property(fc.string(), (word) => {
        if (word.includes('\0')) return
        expect(execFileSync('/bin/sh', ['-c', `printf %s ${shellQuote(word)}`]).toString()).toBe(word)
      }),
      { numRuns: 25 },
    )
    const script = files(first())['commands.sh'] ?? ''
    execFileSync('/bin/sh', ['-n'], { input: script })
  })

  it.each([
    [{ backend: 'sglang', num_g2_blocks: 100, kv_bytes_per_token: 1 }, 'kvbm-without-backend'],
    [{ no_admission_control: true }, 'setting-without-flag'],
    [{ deployment_mode: 'disagg', prefill_block_size: 16, decode_block_size: 64 }, 'block-sizes-differ'],
  ])('refuses %j with %s', (change, code) => {
    const result = exportCandidate({ ...first(), ...change } as UnrolledSample, FACTS, '1.3.1')
    expect(result).toMatchObject({ ok: false, code })
  })

  it('warns when the image carries another engine than the prediction', () => {
    const result = exportCandidate(
      { ...first(), backend: 'vllm', backend_version: '0.19.0', num_g2_blocks: 0 } as UnrolledSample,
      FACTS,
      '1.3.1',
    )
    expect(result.ok && result.warnings.join()).toContain('0.24.0')
    expect(result.ok && result.files[0]?.text).toContain('spica.dev/perf-database-version: vllm 0.19.0')
  })

  it('refuses versions it has no flags for', () => {
    expect(() => exportCandidate(first(), FACTS, '0.9.0')).toThrowError(/not supported/)
    expect(() => exportCandidate(first(), FACTS, 'latest')).toThrowError(/latest is not supported/)
    expect(exportCandidate(first(), FACTS, '2.0.0')).toMatchObject({ ok: true })
  })

  it('adds a planner component that carries the payload', () => {
    const plannerConfig = {
      mode: 'agg',
      optimization_target: 'sla',
      report_interval_hours: null,
      live_dashboard_port: 0,
      ttft_ms: 2000,
      itl_ms: 50,
      enable_load_scaling: true,
    }
    const back = readManifest(files(first(), { ...FACTS, plannerConfig } as never)['deployment.yaml'] ?? '', false)
    expect(back.planner).toMatchObject({
      environment: 'kubernetes',
      mode: 'agg',
      ttft_ms: 2000,
      enable_load_scaling: true,
    })
    expect(back.planner).not.toHaveProperty('live_dashboard_port')
  })
})
