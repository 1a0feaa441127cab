import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CaseMaker } from './fuzz-case.js'
import { draw, hostileValue } from './hostile-values.js'
import { judgeRun, runCaptured } from './judge-run.js'
import { mutateBytes } from './mutate-bytes.js'
import { createDice, type Dice } from './random.js'

const CONFIG = `search_space:
  model_name: meta-llama/Llama-3.1-8B
  hardware_sku: h200_sxm
  gpu_budget: 2
  context_length: 2048
  deployment_mode: [agg]
  planner_scaling_policy: [disabled]
workload: {isl: 64, osl: 4, concurrency: 2, num_request_ratio: 1}
goal: {target: throughput_per_gpu}
sweep: {max_rounds: 2, parallel_evals: 2, optimizer: random}
`

/** How a study's files are damaged. */
type Damage = 'torn' | 'bytes' | 'field' | 'lines' | 'study-bytes' | 'study-field' | 'candidates'

/**
 * Attacks on a study's files before `sweep --resume`. Whole records in front of the damage must survive, a refused resume
 * must leave the ledger as it was, and one that goes on with sound records must end with the undisturbed candidates.
 */
export async function ledgerCases(folder: string, seed: number): Promise<CaseMaker> {
  const sound = join(folder, 'sound')
  const config = join(folder, 'study.yaml')
  mkdirSync(folder, { recursive: true })
  writeFileSync(config, CONFIG)
  const first = await runCaptured(['sweep', '--config', config, '--out', sound, '--workers', '1', '--quiet'])
  if (first.code !== 0) throw new Error(`the study to damage failed: ${first.stderr}`)
  const files = {
    ledger: readFileSync(join(sound, 'trials.jsonl')),
    study: readFileSync(join(sound, 'study.json')),
    candidates: readFileSync(join(sound, 'candidates.json'), 'utf8'),
  }
  return {
    make(number) {
      const dice = createDice(seed + number)
      const damage = dice.pick<Damage>([
        'torn',
        'torn',
        'bytes',
        'field',
        'lines',
        'study-bytes',
        'study-field',
        'candidates',
      ])
      const ledger =
        damage.startsWith('study') || damage === 'candidates'
          ? files.ledger
          : damageLedger(files.ledger, damage, dice, seed + number)
      const study =
        damage === 'study-bytes'
          ? mutateBytes(files.study, dice)
          : damage === 'study-field'
            ? Buffer.from(JSON.stringify(setSomewhere(JSON.parse(files.study.toString()), dice, seed + number)))
            : files.study
      const candidates =
        damage !== 'candidates'
          ? files.candidates
          : dice.chance(0.5)
            ? mutateBytes(Buffer.from(files.candidates), dice)
            : JSON.stringify(setSomewhere(JSON.parse(files.candidates), dice, seed + number))
      const target = join(folder, 'damaged')
      const reader = dice.pick([
        ['report', target],
        ['export', target, '--all'],
        ['export', target, '--candidate', '1'],
      ])
      const isRead = damage === 'candidates' || dice.chance(0.4)
      return {
        kind: 'ledger',
        label: `${isRead ? reader.join(' ') : 'resume'} ${damage} ${(damage === 'candidates' ? candidates : damage.startsWith('study') ? study : ledger).toString().slice(0, 1500)}`,
        async run() {
          rmSync(target, { recursive: true, force: true })
          cpSync(sound, target, { recursive: true })
          writeFileSync(join(target, 'trials.jsonl'), ledger)
          writeFileSync(join(target, 'study.json'), study)
          writeFileSync(join(target, 'candidates.json'), candidates)
          if (isRead) {
            const read = await runCaptured(reader)
            return { outcome: `${reader[0]} ${damage} exit ${read.code}`, complaints: judgeRun(read) }
          }
          const ran = await runCaptured(['sweep', '--resume', target, '--workers', '1', '--quiet'])
          const complaints = judgeRun(ran, [0, 1, 2, 3])
          const after = readFileSync(join(target, 'trials.jsonl'))
          const kept = soundPrefix(ledger)
          if (
            ran.code !== 0 &&
            !after.equals(Buffer.from(ledger)) &&
            !after.subarray(0, kept).equals(Buffer.from(ledger).subarray(0, kept))
          )
            complaints.push('a refused resume lost whole records of the ledger')
          if (ran.code === 0 && !after.subarray(0, kept).equals(Buffer.from(ledger).subarray(0, kept)))
            complaints.push('whole records of the ledger were lost')
          if (damage === 'torn') {
            if (ran.code !== 0) complaints.push(`a torn ledger is not resumed: ${ran.stderr.slice(0, 300)}`)
            else if (readFileSync(join(target, 'candidates.json'), 'utf8') !== files.candidates)
              complaints.push('a torn ledger ends with other candidates')
          }
          if (ran.code === 0) JSON.parse(readFileSync(join(target, 'candidates.json'), 'utf8'))
          return { outcome: `${damage} exit ${ran.code}`, complaints }
        },
      }
    },
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Bytes of the whole, parsable lines at the head of a ledger. */
function soundPrefix(ledger: Uint8Array): number {
  const text = Buffer.from(ledger).toString('latin1')
  let end = 0
  for (let next = text.indexOf('\n'); next !== -1; next = text.indexOf('\n', end)) {
    try {
      JSON.parse(text.slice(end, next))
    } catch {
      return end
    }
    end = next + 1
  }
  return end
}

function damageLedger(ledger: Buffer, damage: Damage, dice: Dice, seed: number): Uint8Array {
  if (damage === 'torn') return ledger.subarray(0, dice.below(ledger.length + 1))
  if (damage === 'bytes') return mutateBytes(ledger, dice)
  const lines = ledger.toString().split('\n').slice(0, -1)
  const at = dice.below(lines.length)
  if (damage === 'field') lines[at] = JSON.stringify(setSomewhere(JSON.parse(lines[at] as string), dice, seed))
  else if (dice.chance(0.3)) lines.splice(at, 0, lines[dice.below(lines.length)] as string)
  else if (dice.chance(0.5)) lines.splice(at, 1)
  else lines.reverse()
  return Buffer.from(lines.map((line) => line + '\n').join(''))
}

/** A copy of a JSON value with one value, at any depth, replaced, removed or added. */
export function setSomewhere(value: unknown, dice: Dice, seed: number): unknown {
  if (value === null || typeof value !== 'object') return draw(hostileValue, seed)
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>
  const keys = Object.keys(copy)
  if (keys.length === 0 || dice.chance(0.05)) {
    copy['extra'] = draw(hostileValue, seed)
    return copy
  }
  const key = dice.pick(keys)
  if (dice.chance(0.1)) delete copy[key]
  else copy[key] = dice.chance(0.35) ? draw(hostileValue, seed) : setSomewhere(copy[key], dice, seed)
  return copy
}
