import { findHardware, findModel } from '@spica/catalog'
import { PerfDatabase } from '@spica/perf-model'
import { describe, expect, it } from 'vitest'
import { backendGap } from '../../src/inputs/perf-inputs.js'
import { tableCoverage } from '../../src/study/table-coverage.js'

const hardware = findHardware('l40s')
const model = findModel('meta-llama/Meta-Llama-3.1-8B')
/** A database whose only table has no rows. */
const database = new PerfDatabase(
  'the test tables',
  {
    files: [
      {
        path: 'data/l40s/gemm/vllm/0.14.0/gemm_perf.parquet',
        sku: 'l40s',
        family: 'gemm',
        backend: 'vllm',
        version: '0.14.0',
        table: 'gemm_perf',
      },
    ],
    reuse: [],
    sharedKernels: [],
  },
  async () => ({ length: 0, numbers: {}, texts: {} }),
)

describe('missing measurements', () => {
  it('are named by backend, GPU and database, with what there is instead', () => {
    const perf = { model: 'table', database, points: null } as const
    expect(backendGap(perf, hardware, 'vllm', [])).toBeNull()
    expect(backendGap(perf, hardware, 'sglang', [])).toEqual({
      code: 'missing-perf-database',
      message: 'no measured tables of sglang on l40s in the test tables, which has those of vllm 0.14.0',
    })
    expect(backendGap(perf, findHardware('h200_sxm'), 'vllm', [])?.message).toMatch(/which has tables of l40s$/)
    expect(backendGap({ ...perf, database: null }, hardware, 'trtllm', [])).toBeNull()
  })

  it('are named by table and version for a shape', async () => {
    const subject = { database, model, hardware, compat: [], isl: 512 }
    const shape = { tp: 1, attentionDp: 1, moeTp: 1, moeEp: 1 }
    for (const role of ['agg', 'prefill', 'decode'] as const) {
      const verdict = await tableCoverage(subject, 'vllm', role, shape)
      expect(verdict).toMatchObject({ ok: false, code: 'perf-table-missing' })
      expect(verdict.ok ? '' : verdict.message).toMatch(/_perf.* l40s.*vllm 0\.14\.0/)
    }
  })
})
