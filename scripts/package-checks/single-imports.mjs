// What each package must be able to do when it is installed alone.
export const SINGLE_IMPORTS = [
  {
    name: '@spica/replay-sim',
    code: `import assert from 'node:assert/strict'
import { replay, syntheticWorkload } from '@spica/replay-sim'
const synthetic = syntheticWorkload({ inputTokens: 256, outputTokens: 32, requestCount: 40, concurrency: 8 })
const engine = { engine_type: 'vllm', num_gpu_blocks: 2048, block_size: 64 }
const report = replay({ ...synthetic, engine, workers: 2, clockMs: () => performance.now() })
assert.equal(report.completed_requests, 40)
assert.equal(report.total_output_tokens, 40 * 32)
`,
  },
  {
    name: '@spica/optimizer-gp',
    code: `import assert from 'node:assert/strict'
import { createOptimizer } from '@spica/optimizer-gp'
const optimizer = createOptimizer({
  parameters: [
    { name: 'x', kind: 'float', min: -2, max: 2 },
    { name: 'mode', kind: 'categorical', values: ['a', 'b'] },
  ],
  objectives: [{ name: 'loss', direction: 'minimize' }],
  seed: 1,
})
let best = Infinity
for (let round = 0; round < 6; round++) {
  const asked = optimizer.ask(4)
  assert.equal(asked.length, 4)
  optimizer.tell(
    asked.map(({ id, parameters: { x, mode } }) => {
      const loss = (x - 0.7) ** 2 + (mode === 'b' ? 0 : 0.5)
      best = Math.min(best, loss)
      return { id, status: 'complete', metrics: { loss } }
    }),
  )
}
assert.ok(best < 0.05, String(best))
`,
  },
  {
    name: '@spica/kv-estimate',
    code: `import assert from 'node:assert/strict'
import { kvRow } from '@spica/kv-estimate'
const row = kvRow({ model_name: 'Qwen/Qwen3-32B', hardware_sku: 'h200_sxm', backend: 'vllm', tp: 2 })
assert.equal(row.feasible, true)
assert.ok(row.total_kv_size_tokens > 100_000)
`,
  },
]
