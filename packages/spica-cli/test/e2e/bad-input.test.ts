import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, readdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type SpicaRun, smallSweep, spawnSpica, type Workspace, workspace } from '../support/run-spica.js'

const ENGINE = '{"num_gpu_blocks":64,"block_size":64}'
const LOAD = ['--input-tokens', '64', '--output-tokens', '4', '--request-count', '4'] as const
const HUGE_YAML_BYTES = 100 * 1024 * 1024

/** `args`, the documented exit code, and what the message must say. */
type Attack = readonly [name: string, args: readonly string[], code: number, message: RegExp]

const SWEEP = (config: string, ...more: string[]) => ['sweep', '--config', config, '--workers', '1', '--quiet', ...more]

const ATTACKS: readonly Attack[] = [
  ['a missing config', SWEEP('nowhere.yaml'), 2, /cannot read nowhere\.yaml: no such file/],
  ['a folder as config', SWEEP('folder'), 2, /folder: is a directory/],
  ['an empty config', SWEEP('empty.yaml'), 2, /empty\.yaml:1:1: the document is empty/],
  ['a config that is not UTF-8', SWEEP('latin.yaml'), 2, /latin\.yaml:1:4.*UTF-8.*0xe9/],
  ['100 MB of YAML', SWEEP('huge.yaml'), 2, /huge\.yaml has \d+ bytes, more than/],
  ['an unknown model', SWEEP('model.yaml', '--out', 'made'), 2, /no model "meta-llama\/Meta-Lama-3\.1-8B"/],
  ['an unknown GPU', SWEEP('sku.yaml', '--out', 'made'), 2, /"h300_sxm"; known SKUs: a100_pcie.*h200_sxm.*l40s/],
  ['a trace with broken lines', SWEEP('trace.yaml', '--out', 'made'), 2, /trace\.jsonl:2.*\n?.*trace\.jsonl:3/],
  ['a trace that is cut off', ['replay', 'cut.jsonl.gz'], 2, /cut\.jsonl\.gz: the gzip stream is broken/],
  ['--out below a file', SWEEP('good.yaml', '--out', 'good.yaml/out'), 3, /cannot write .*good\.yaml\/out: ENOTDIR/],
  ['--out that names no folder', SWEEP('good.yaml', '--out', ''), 2, /--out names no folder/],
  ['--out of a study that is there', SWEEP('good.yaml', '--out', 'study'), 2, /holds a study already/],
  ['--out whose file is a link', SWEEP('good.yaml', '--out', 'linked'), 3, /study\.json is a symbolic link/],
  [
    '--out and --resume apart',
    SWEEP('good.yaml', '--resume', 'study', '--out', 'made'),
    2,
    /--out cannot name another/,
  ],
  ['--broker of a local sweep', SWEEP('good.yaml', '--broker', 'redis://h'), 2, /--broker is for --executor bullmq/],
  ['bullmq without a broker', SWEEP('good.yaml', '--executor', 'bullmq', '--out', 'made'), 2, /needs a broker/],
  ['no workers', SWEEP('good.yaml', '--workers', '0'), 2, /--workers.*whole number from 1/],
  ['a seed below 0', SWEEP('good.yaml', '--seed=-1'), 2, /--seed.*whole number from 0/],
  ['a time limit of 0', SWEEP('good.yaml', '--time-limit', '0'), 2, /--time-limit.*above 0/],
  ['an unknown flag', SWEEP('good.yaml', '--wrokers', '2'), 2, /unknown option '--wrokers'/],
  ['an unknown command', ['swepe'], 2, /no command "swepe"\nhint: did you mean spica sweep/],
  ['no config', ['sweep'], 2, /--config FILE is missing/],
  ['another seed on resume', ['sweep', '--resume', 'study', '--seed', '8'], 2, /sweep\.random_seed: 7 -> 8/],
  ['another config on resume', SWEEP('other.yaml', '--resume', 'study'), 2, /workload\.isl: 512 -> 256/],
  ['a folder without a study', ['sweep', '--resume', 'folder'], 2, /folder holds no study/],
  ['a broken study', ['sweep', '--resume', 'broken'], 2, /broken\/study\.json is not a study/],
  ['a report of nothing', ['report', 'folder'], 2, /holds no study/],
  ['an export of nothing', ['export', 'folder', '--all'], 2, /holds no/],
  ['engine arguments that are no JSON', ['replay', '--extra-engine-args', '{', ...LOAD], 2, /--extra-engine-args/],
  ['two loads at once', ['replay', ...LOAD, '--request-rate', '1', '--replay-concurrency', '2'], 2, /exactly one of/],
  ['10^8 workers', ['replay', ...LOAD, '--request-rate', '1', '--num-workers', '100000000'], 2, /from 1 to 65536/],
  [
    'a report below a file',
    ['replay', '--extra-engine-args', ENGINE, ...LOAD, '--request-rate', '1', '--report-json', 'good.yaml/r.json'],
    3,
    /cannot write .*good\.yaml\/r\.json/,
  ],
  [
    'a trace written below a file',
    ['trace', 'synth', '--requests', '5', '--rate', '1', '--isl', '9', '--osl', '2', '--out', 'good.yaml/t.jsonl'],
    3,
    /cannot write .*good\.yaml\/t\.jsonl: ENOTDIR/,
  ],
  ['a starter config below a file', ['init', '--out', 'good.yaml/sweep.yaml'], 3, /cannot write .*ENOTDIR/],
  ['a batch file that is missing', ['kv', '--batch', 'nowhere.jsonl'], 2, /no such file/],
  [
    'a database that is missing',
    ['replay', '--perf-db', 'nowhere', ...LOAD, '--request-rate', '1'],
    3,
    /no performance database/,
  ],
]

describe('bad input to the built program', () => {
  let at: Workspace
  let before: readonly string[]
  const answers = new Map<string, SpicaRun>()

  beforeAll(async () => {
    at = workspace({
      'good.yaml': smallSweep(),
      'other.yaml': smallSweep().replace('isl: 512', 'isl: 256'),
      'empty.yaml': '',
      'latin.yaml': Uint8Array.from([0x61, 0x3a, 0x20, 0xe9, 0x0a]),
      'huge.yaml': 'search_space:\n',
      'model.yaml': smallSweep().replace('Meta-Llama-3.1-8B', 'Meta-Lama-3.1-8B'),
      'sku.yaml': smallSweep().replace('h200_sxm', 'h300_sxm'),
      'trace.yaml': smallSweep({ workload: '  trace_path: trace.jsonl\n' }),
      'trace.jsonl': '{"timestamp": 0, "input_length": 600, "output_length": 8}\n{"timestamp": "later"}\nnot json\n',
      'cut.jsonl.gz': gzipSync('{"timestamp": 0, "input_length": 600, "output_length": 8}\n').subarray(0, 30),
      'victim.json': 'untouched',
      'broken/study.json': '{"format": 1}',
    })
    truncateSync(at.path('huge.yaml'), HUGE_YAML_BYTES)
    for (const name of ['folder', 'linked']) mkdirSync(at.path(name))
    symlinkSync(at.path('victim.json'), at.path('linked/study.json'))
    const study = await spawnSpica(SWEEP('good.yaml', '--out', 'study'), at.folder).done
    expect(study.code).toBe(0)
    before = readdirSync(at.folder, { recursive: true }).map(String).sort()
    const pending = [...ATTACKS]
    const lane = async () => {
      for (let attack = pending.shift(); attack !== undefined; attack = pending.shift())
        answers.set(attack[0], await spawnSpica(attack[1], at.folder).done)
    }
    await Promise.all([lane(), lane()])
  }, 240_000)
  afterAll(() => at.remove())

  for (const [name, , code, message] of ATTACKS) {
    it(`refuses ${name} with code ${code}`, () => {
      const answer = answers.get(name)
      expect(answer?.stderr).toMatch(message)
      expect(answer?.code).toBe(code)
      expect(answer?.stderr).not.toMatch(/\n\s+at |defect of spica/)
      expect(answer?.stdout).toBe('')
    })
  }

  it('leaves nothing behind, and nothing changed outside', () => {
    expect(readdirSync(at.folder, { recursive: true }).map(String).sort()).toEqual(before)
    expect(at.read('victim.json')).toBe('untouched')
  })

  it.runIf(process.platform === 'linux')(
    'refuses an output folder in a virtual file system, without hanging',
    async () => {
      const answer = await spawnSpica(SWEEP('good.yaml', '--out', '/proc/spica-out'), at.folder).done
      expect(answer.code).toBe(3)
      expect(answer.stderr).toMatch(/cannot write \/proc\/spica-out/)
    },
  )

  it.runIf(existsSync('/dev/zero'))('refuses devices as input', async () => {
    const answer = await spawnSpica(['validate', '/dev/zero'], at.folder).done
    expect(answer).toMatchObject({ code: 2, stderr: expect.stringMatching(/cannot read \/dev\/zero: is a device/) })
  })

  it.runIf(process.platform !== 'win32')('never replaces a pipe, nor what a link to one stands for', async () => {
    execFileSync('mkfifo', [at.path('pipe')])
    symlinkSync('pipe', at.path('to-pipe'))
    const synth = ['trace', 'synth', '--requests', '2', '--rate', '1', '--isl', '9', '--osl', '2', '--out']
    const report = ['replay', '--extra-engine-args', ENGINE, ...LOAD, '--request-rate', '1', '--report-json']
    for (const args of [
      [...synth, 'pipe'],
      [...synth, 'to-pipe'],
      [...report, 'pipe'],
      ['init', '--force', '--out', 'pipe'],
    ]) {
      const answer = await spawnSpica(args, at.folder).done
      expect(answer).toMatchObject({ code: 3, stderr: expect.stringMatching(/it is a device or a pipe, not a file/) })
    }
    expect(lstatSync(at.path('pipe')).isFIFO()).toBe(true)
    expect(lstatSync(at.path('to-pipe')).isSymbolicLink()).toBe(true)
  })

  it('does not follow a link at a file it writes', async () => {
    symlinkSync(at.path('victim.json'), at.path('link.json'))
    const args = ['replay', '--extra-engine-args', ENGINE, ...LOAD, '--request-rate', '1', '--report-json', 'link.json']
    const answer = await spawnSpica(args, at.folder).done
    expect(answer.code).toBe(0)
    expect(at.read('victim.json')).toBe('untouched')
    writeFileSync(at.path('link.json'), '')
  })
})
