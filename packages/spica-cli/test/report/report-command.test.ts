import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CommandEnvironment } from '../../src/commands/command.js'
import { registerReport } from '../../src/commands/report.js'
import { writeStudyFile } from '../../src/study/study-file.js'
import { syntheticStudy } from './synthetic-study.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'spica-command-'))
  const { study, trials } = syntheticStudy({ trials: 20 })
  writeStudyFile(folder, study)
  writeFileSync(join(folder, 'trials.jsonl'), trials.map((trial) => JSON.stringify(trial) + '\n').join(''))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function run(...args: string[]): Promise<string> {
  let out = ''
  const stream = { write: (text: string) => (out += text) }
  const environment: CommandEnvironment = {
    stdout: stream,
    stderr: stream,
    setExitCode: () => {},
    onInterrupt: () => () => {},
  }
  const program = new Command().exitOverride()
  registerReport(program, environment)
  await program.parseAsync(['report', ...args], { from: 'user' })
  return out
}

describe('spica report', () => {
  it('prints the path of the page', async () => {
    expect(await run(folder)).toBe(`${join(folder, 'report.html')}\n`)
  })

  it('tells what the page holds with --json', async () => {
    const overlay = join(folder, 'lab.csv')
    writeFileSync(overlay, 'throughput_per_gpu\n900\n')
    const printed = JSON.parse(await run(folder, '--overlay', overlay, '--json')) as Record<string, unknown>
    expect(printed).toMatchObject({ kind: 'front', trials: 20, overlay_points: 1, report: join(folder, 'report.html') })
  })

  it('rejects what it cannot lay over, with its place', async () => {
    const overlay = join(folder, 'lab.csv')
    writeFileSync(overlay, 'name,throughput_per_gpu\na,many\n')
    await expect(run(folder, '--overlay', overlay)).rejects.toMatchObject({
      kind: 'input',
      location: { file: overlay, line: 2, column: 3 },
    })
  })
})
