import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { goldenFolder, hasGolden, readGoldenJson } from '../../../conformance/golden.js'
import { workspace } from '../test/support/run-spica.js'

interface Command {
  readonly argv: readonly string[]
  readonly exit: number
}

/** Runs whose aggregates differ between two runs of the peer, or that it aborts; see the golden README. */
const RANDOM = new Set([68, 77, 79, 81, 83, 91])
const IGNORED = /^(wall_time_ms|processed_)/
const SKETCHED = /^(median|p75|p90|p95|p99)_(itl_ms|output_token_throughput_per_user)$/

describe.skipIf(!hasGolden)('spica replay on the golden command lines', () => {
  const folders = hasGolden
    ? readdirSync(join(goldenFolder, 'replay')).filter(
        (name) => /^\d+-/.test(name) && Number(name.split('-')[0]) <= 120,
      )
    : []

  it('gives the golden reports', { timeout: 600_000 }, async () => {
    const wrong: string[] = []
    let compared = 0
    for (const name of folders.sort()) {
      const command = readGoldenJson<Command>(`replay/${name}/cmd.json`)
      if (
        command.exit !== 0 ||
        RANDOM.has(Number(name.split('-')[0])) ||
        !existsSync(join(goldenFolder, 'replay', name, 'report.json'))
      )
        continue
      compared++
      const at = workspace()
      const argv = command.argv.map((arg, index) =>
        arg === 'trace.jsonl'
          ? join(goldenFolder, 'replay', name, arg)
          : /^--report-json/.test(command.argv[index - 1] ?? '')
            ? at.path(arg)
            : arg,
      )
      const run = await at.spica('replay', ...argv, '--compat', 'dynamo-1.4', '--json')
      at.remove()
      if (run.code !== 0) wrong.push(`${name}: exit ${run.code} ${run.stderr.split('\n')[0]}`)
      else {
        const ours = JSON.parse(run.stdout) as Record<string, number>
        const golden = readGoldenJson<Record<string, number>>(`replay/${name}/report.json`)
        const off = Object.keys(golden).filter(
          (key) => !IGNORED.test(key) && !close(key, ours[key], golden[key] as number),
        )
        if (off.length > 0)
          wrong.push(
            `${name}: ${off
              .slice(0, 4)
              .map((key) => `${key} ${ours[key]} for ${golden[key]}`)
              .join('; ')}`,
          )
      }
    }
    console.log(`replay command lines: ${compared - wrong.length} of ${compared}`)
    expect(wrong).toEqual([])
    expect(compared).toBeGreaterThan(80)
  })
})

function close(key: string, ours: number | undefined, golden: number): boolean {
  if (ours === undefined) return false
  const tolerance = SKETCHED.test(key) ? 2.5e-3 : key.startsWith('std_') ? 1e-6 : 1e-8
  return Math.abs(ours - golden) <= tolerance * Math.max(1, Math.abs(golden))
}
