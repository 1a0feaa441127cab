import { describe, expect, it } from 'vitest'
import { buildReportData } from '../../src/report/build-report-data.js'
import { clientScript } from '../../src/report/client-assets.js'
import { parseOverlayCsv } from '../../src/report/overlay-csv.js'
import { renderReport } from '../../src/report/render-report.js'
import type { ReportData } from '../../src/report/report-data.js'
import { HOSTILE } from './hostile-text.js'
import { type SyntheticOptions, syntheticStudy } from './synthetic-study.js'

function dataOf(options: SyntheticOptions, patch: Partial<ReportData> = {}): ReportData {
  const built = buildReportData({ ...syntheticStudy(options), manifestOf: () => null, overlay: null, version: '0.1.0' })
  return { ...built, ...patch }
}

function embedded(html: string): Record<string, unknown> {
  const match = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(html)
  return JSON.parse(match?.[1] as string) as Record<string, unknown>
}

describe('renderReport', () => {
  it('is the same for the same data, and needs nothing from elsewhere', () => {
    const html = renderReport(dataOf({ trials: 60 }))
    expect(renderReport(dataOf({ trials: 60 }))).toBe(html)
    expect(html.match(/<(link|iframe|img|object|embed)\b|@import|url\((?!#)|src=/g)).toBeNull()
    expect(html).toContain("default-src 'none'")
  })

  it('stays under a megabyte for 1,000 trials and grows slowly after', () => {
    const bytes = (trials: number) => Buffer.byteLength(renderReport(dataOf({ trials })))
    const thousand = bytes(1000)
    expect(thousand).toBeLessThan(1_000_000)
    expect(bytes(2000)).toBeLessThan(thousand + 400_000)
  })

  it('says what the figures are and which model made them', () => {
    const html = renderReport(dataOf({ trials: 60 }))
    expect(html).toContain('Predictions, not measurements.')
    expect(html).toMatch(/timed by the <b>roofline<\/b> pass-time model/)
    expect(html).toContain('<b>62 %</b> measured')
  })

  it('holds front, table, importance and failures without any script', () => {
    const html = renderReport(dataOf({ trials: 200 }))
    expect(html.match(/<svg/g)?.length).toBeGreaterThan(3)
    expect(html).toContain('<th scope="row">Candidate 1</th>')
    expect(html).toContain('<h2>What matters</h2>')
    expect(html).toMatch(/GiB short per GPU/)
  })

  it('names the winner under a scalar goal', () => {
    const data = dataOf({ trials: 80, target: 'e2e_latency' })
    const best = data.candidates[0]?.trial
    expect(renderReport(data)).toContain(`<dt>Best deployment</dt><dd><a href="#trial-${best}">`)
    const latencies = new Map(data.feasible.map((trial) => [trial.trial, trial.objectives['e2e_latency'] as number]))
    expect(latencies.get(best as number)).toBe(Math.min(...latencies.values()))
  })

  it('stands without trials, and says so', () => {
    const html = renderReport(dataOf({ trials: 0 }))
    expect(html).toContain('Nothing feasible was found')
    expect(html.replace(/<script>[\s\S]*<\/script>/, '').match(/NaN|undefined/g)).toBeNull()
  })

  it('keeps details of as many deployments as fit, the best first', () => {
    const data = dataOf({ trials: 1000 })
    const details = embedded(renderReport(data))['details'] as Record<string, unknown>
    expect(Object.keys(details).length).toBeGreaterThan(40)
    for (const { trial } of data.candidates.slice(0, 30)) expect(details).toHaveProperty([String(trial)])
  })

  it('lists overlaid points', () => {
    const overlay = parseOverlayCsv('lab/measured.csv', 'name,throughput_per_gpu\nA100,12.5\n', ['throughput_per_gpu'])
    const html = renderReport(dataOf({ trials: 60 }, { overlay }))
    expect(html).toContain('measured.csv: 1 points laid over')
    expect(html).toContain('<th scope="row">A100</th><td class="number">12.50</td>')
  })

  it('shows hostile names as text only', () => {
    const data = dataOf({ trials: 60, suffix: HOSTILE })
    const overlay = { label: HOSTILE, points: [{ label: HOSTILE, values: { throughput_per_gpu: 5 } }] }
    const manifest = [{ name: HOSTILE, text: HOSTILE }]
    const details = new Map([...data.details].map(([trial, detail]) => [trial, { ...detail, manifest }]))
    const html = renderReport({ ...data, overlay, details, notices: [HOSTILE], version: HOSTILE })
    expect(html.match(/<script/g)).toHaveLength(2)
    expect(html.match(/<\/script/g)).toHaveLength(2)
    expect(html.match(/<(style|title)/g)).toHaveLength(2)
    expect(html.match(/<img|<!--|<svg onload/gi)).toBeNull()
    expect(html).toContain('&lt;/script&gt;')
  })
})

describe('clientScript', () => {
  it('is one valid script without a module left outside', () => {
    const script = clientScript()
    expect(() => new Function(script)).not.toThrow()
    expect(script.match(/^\s*(import|export)\b/gm)).toBeNull()
    expect(script.match(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b/g)).toBeNull()
    const used = [...script.matchAll(/= modules\['([^']+)'\]/g)].map((match) => match[1])
    for (const name of used) expect(script).toContain(`modules['${name}'] = (`)
  })
})
