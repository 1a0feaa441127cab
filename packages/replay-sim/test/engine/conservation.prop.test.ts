import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type ReplayOptions, type RequestRow, replayDetailed } from '../../src/index.js'
import { randomCase } from './random-case.js'

function checkTimes(row: RequestRow): void {
  const times = [row.arrival_time_ms, row.first_admit_ms, row.first_token_ms, row.last_token_ms, row.terminal_time_ms]
  const known = times.filter((time): time is number => time !== null)
  for (let k = 1; k < known.length; k++) expect(known[k]!).toBeGreaterThanOrEqual(known[k - 1]!)
}

function checkTokens(options: ReplayOptions, row: RequestRow): void {
  if (row.terminal_status === 'rejected') return
  const args = options.engine ?? options.decode!
  const longest =
    args.engine_type === 'vllm' ? (args.max_model_len ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY
  const room = args.engine_type === 'trtllm' ? args.num_gpu_blocks! * args.block_size! : longest
  expect(row.output_length).toBe(Math.min(row.requested_output_length, Math.max(0, room - row.input_length)))
}

it('conserves requests, tokens and blocks, and time never runs backwards', () => {
  fc.assert(
    fc.property(randomCase(['vllm', 'trtllm']), (options) => {
      const rows: RequestRow[] = []
      const { report, timeline } = replayDetailed({ ...options, onRequest: (row) => rows.push(row) })
      for (const row of rows) {
        checkTimes(row)
        checkTokens(options, row)
      }
      for (const point of timeline) expect(point.kvUtilisation).toBeLessThanOrEqual(1)
      if (options.maxSimTimeMs !== undefined) return
      expect(rows.length).toBe(options.workload.count)
      expect(report.num_requests).toBe(options.workload.count)
      const last = timeline[timeline.length - 1]!
      expect([last.kvUtilisation, last.runningRequests, last.waitingRequests]).toEqual([0, 0, 0])
    }),
    { numRuns: 120 },
  )
}, 120_000)
