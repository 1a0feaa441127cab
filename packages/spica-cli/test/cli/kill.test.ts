import { describe, expect, it } from 'vitest'
import { smallSweep, spawnSpica, workspace } from '../support/run-spica.js'

/** Kills in CI; `SPICA_KILLS=50` runs the long form. */
const KILLS = Number(process.env['SPICA_KILLS'] ?? 5)

describe('a sweep that is killed', () => {
  it(`ends with the same bytes after ${KILLS} kills at random moments`, {
    timeout: 60_000 + KILLS * 20_000,
  }, async () => {
    const at = workspace({ 'sweep.yaml': smallSweep({ sweep: '' }).replace('max_rounds: 3', 'max_rounds: 6') })
    const begun = performance.now()
    const whole = await spawnSpica(['sweep', '--config', 'sweep.yaml', '--out', 'whole', '--quiet'], at.folder).done
    const usualMs = performance.now() - begun
    expect(whole.code).toBe(0)
    // A fixed sequence of moments, from before the first file to the last write.
    let state = 12345
    const random = () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648
    for (let kill = 0; kill < KILLS; kill++) {
      const run = spawnSpica(
        ['sweep', '--config', 'sweep.yaml', '--resume', 'killed', '--quiet', '--workers', String(1 + (kill % 3))],
        at.folder,
      )
      const timer = setTimeout(() => run.kill('SIGKILL'), 50 + random() * usualMs * 0.9)
      await run.done
      clearTimeout(timer)
    }
    const last = await spawnSpica(['sweep', '--config', 'sweep.yaml', '--resume', 'killed', '--quiet'], at.folder).done
    expect(last).toMatchObject({ code: 0, stderr: '' })
    expect(at.read('killed/candidates.json')).toBe(at.read('whole/candidates.json'))
    at.remove()
  })

  it('saves what it has on Ctrl-C and goes on from there', async () => {
    const at = workspace({ 'sweep.yaml': smallSweep().replace('max_rounds: 3', 'max_rounds: 8') })
    const whole = await spawnSpica(['sweep', '--config', 'sweep.yaml', '--out', 'whole', '--quiet'], at.folder).done
    expect(whole.code).toBe(0)
    for (const times of [1, 2]) {
      const folder = `interrupted-${times}`
      const run = spawnSpica(['sweep', '--config', 'sweep.yaml', '--out', folder, '--workers', '2'], at.folder)
      await waitUntil(() => at.exists(`${folder}/trials.jsonl`) && at.read(`${folder}/trials.jsonl`).includes('\n'))
      for (let i = 0; i < times; i++) run.kill('SIGINT')
      const { code } = await run.done
      expect(code).toBe(130)
      expect(JSON.parse(at.read(`${folder}/study.json`))).toMatchObject({ state: 'interrupted' })
      expect(Array.isArray(JSON.parse(at.read(`${folder}/candidates.json`)))).toBe(true)
      const resumed = await spawnSpica(['sweep', '--resume', folder, '--quiet'], at.folder).done
      expect(resumed.code).toBe(0)
      expect(at.read(`${folder}/candidates.json`)).toBe(at.read('whole/candidates.json'))
    }
    at.remove()
  })
})

async function waitUntil(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 20))
}
