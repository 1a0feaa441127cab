import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lacksChromium, launchChromium, openPage } from './chromium.js'
import { HOSTILE } from './hostile-text.js'
import { reportFiles } from './report-files.js'

const files = reportFiles()
let browser: Browser

beforeAll(async () => {
  if (!lacksChromium) browser = await launchChromium()
})
afterAll(async () => {
  await browser?.close()
  files.dispose()
})

describe.skipIf(lacksChromium)('pages of a report in Chromium', () => {
  it('tells a candidate in words, with latencies, load over time, bottleneck and manifest', async () => {
    const { url, data } = files.write('candidate', { trials: 120 })
    const { page, problems } = await openPage(browser, `${url}#trial-${data.candidates[0]?.trial}`)
    const shown = await page.locator('#candidate').textContent()
    expect(shown).toContain('Candidate 1')
    expect(shown).toMatch(/In plain words\s*(vLLM|SGLang|TensorRT-LLM) .* on b200_sxm/)
    expect(shown).toMatch(/(KV|Prefill|Decode|Router|Traffic)-bound/)
    expect(shown).toMatch(/Time to first token ms/)
    expect(await page.locator('#candidate .time-chart').count()).toBe(4)
    expect(await page.locator('#candidate pre').textContent()).toContain('kind: DynamoGraphDeployment')
    expect(shown).toMatch(/predicted/i)
    await page.locator('#candidate a[rel="next"]').click()
    await expect.poll(() => page.locator('#candidate-title').textContent()).toContain('Candidate 2')
    await page.locator('#candidate a', { hasText: 'How this is decided' }).click()
    await expect.poll(() => page.locator('#method-bottleneck').isVisible()).toBe(true)
    expect(problems).toEqual([])
    await page.close()
  })

  it('says why there is no load over time', async () => {
    const bare = files.write('bare', { trials: 40, bare: true })
    const { page, problems } = await openPage(browser, `${bare.url}#trial-${bare.data.candidates[0]?.trial}`)
    expect(await page.locator('#candidate').textContent()).toContain('The ledger holds no load over time')
    const large = files.write('thinned', { trials: 600 })
    const last = large.data.feasible.at(-1)?.trial
    await page.goto(`${large.url}#trial-${last}`)
    expect(await page.locator('#candidate').textContent()).toMatch(/kept for the first \d+ deployments only/)
    expect(problems.filter((problem) => !problem.startsWith('request:'))).toEqual([])
    await page.close()
  })

  it('copies a manifest', async () => {
    const { url, data } = files.write('copy', { trials: 60 })
    const { page } = await openPage(browser, `${url}#trial-${data.candidates[0]?.trial}`)
    await page.locator('#candidate button.copy').click()
    await expect.poll(() => page.locator('#candidate [role="status"]').textContent()).toMatch(/Copied|Selected/)
    await page.close()
  })

  it('lists planner events of a scaled deployment', async () => {
    const { url, data } = files.write('planner', { trials: 200 })
    const scaled = data.feasible.find(
      ({ config, trial }) => config['enable_load_scaling'] === true && data.details.get(trial)?.events,
    )
    const { page } = await openPage(browser, `${url}#trial-${scaled?.trial}`)
    expect(await page.locator('#candidate').textContent()).toMatch(/Planner events \(18\)[\s\S]*20\.0 s/)
    expect(await page.locator('#candidate .event').count()).toBe(18)
    await page.close()
  })

  it('says why a dominated trial is not on the front', async () => {
    const { url, data } = files.write('dominated', { trials: 200 })
    const onFront = new Set(data.candidates.map(({ trial }) => trial))
    const other = data.feasible.find(({ trial }) => !onFront.has(trial))
    const { page } = await openPage(browser, `${url}#trial-${other?.trial}`)
    expect(await page.locator('#candidate').textContent()).toMatch(
      /Not on the front: Candidate \d+ is at least as good/,
    )
    await page.close()
  })

  it('draws the best so far under a scalar goal', async () => {
    const { url, data } = files.write('scalar', { trials: 150, target: 'e2e_latency' })
    const { page, problems } = await openPage(browser, url)
    expect(await page.locator('#plot .mark.strong').count()).toBe(1)
    expect(await page.locator('#plot .boundary').count()).toBe(1)
    expect(await page.locator('#table tbody tr').first().getAttribute('data-trial')).toBe(
      String(data.candidates[0]?.trial),
    )
    await page.locator('.figures a').click()
    await expect.poll(() => page.locator('#candidate-title').textContent()).toContain('Candidate 1')
    expect(problems).toEqual([])
    await page.close()
  })

  it('shows any two of three objectives, in either direction', async () => {
    const paretoObjectives = ['throughput_per_gpu', 'e2e_latency', 'throughput_per_user'] as const
    const { url, data } = files.write('three', { trials: 100, paretoObjectives })
    const { page, problems } = await openPage(browser, url)
    expect(await page.locator('#plot .axis-title').first().textContent()).toContain('lower is better')
    expect(await page.locator('#plot .mark.strong').count()).toBe(data.candidates.length)
    expect(await page.locator('#plot .boundary').count()).toBe(0)
    await page.locator('#axis-x').selectOption('throughput_per_user')
    expect(await page.locator('#plot .mark').count()).toBe(data.feasible.length)
    await page.locator('#plot .mark.strong').first().hover({ force: true })
    expect(await page.locator('#tooltip .tip-row').count()).toBe(3)
    expect(problems).toEqual([])
    await page.close()
  })

  it('bounds a front of throughput and latency from the right side', async () => {
    const paretoObjectives = ['throughput_per_gpu', 'e2e_latency'] as const
    const { url } = files.write('latency-front', { trials: 100, paretoObjectives })
    const { page } = await openPage(browser, url)
    const corners = (await page.locator('#plot .boundary').getAttribute('points')) as string
    const points = corners.split(' ').map((pair) => pair.split(',').map(Number) as [number, number])
    for (const [index, [x, y]] of points.entries()) {
      const [beforeX, beforeY] = points[Math.max(0, index - 1)] as [number, number]
      expect(x).toBeGreaterThanOrEqual(beforeX)
      expect(y).toBeLessThanOrEqual(beforeY)
    }
    await page.close()
  })

  it('runs nothing from hostile names, on any page', async () => {
    const manifest = [{ name: HOSTILE, text: HOSTILE }]
    const overlay = {
      label: HOSTILE,
      points: [{ label: HOSTILE, values: { throughput_per_gpu: 900, throughput_per_user: 50 } }],
    }
    const plain = files.write('hostile', { trials: 60, suffix: HOSTILE })
    const details = new Map([...plain.data.details].map(([trial, detail]) => [trial, { ...detail, manifest }]))
    const { url, data } = files.write(
      'hostile',
      { trials: 60, suffix: HOSTILE },
      { overlay, details, notices: [HOSTILE] },
    )
    const { page, problems } = await openPage(browser, url)
    await page.locator('#plot path.overlay').hover({ force: true })
    await page.locator('input[name="scope"][value="all"]').check()
    await page.locator('#filter-shape').selectOption({ index: 1 })
    for (const { trial } of data.candidates.slice(0, 4)) {
      await page.goto(`${url}#trial-${trial}`)
      await page.locator('#candidate summary').last().click()
    }
    expect(await page.locator('#candidate').textContent()).toContain('</script>')
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
    expect(await page.locator('img').count()).toBe(0)
    expect(problems).toEqual([])
    await page.close()
  })

  it('would stop a script that got in', async () => {
    const { url } = files.write('policy', { trials: 20 })
    const { page, problems } = await openPage(browser, url)
    await page.evaluate(() => {
      const script = document.createElement('script')
      script.textContent = 'window.hacked = 1'
      document.body.append(script)
      document.body.insertAdjacentHTML('beforeend', '<img src="data:," onerror="window.hacked = 1">')
    })
    await page.waitForTimeout(100)
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
    expect(problems.length).toBeGreaterThan(0)
    await page.close()
  })

  it('shows 2,000 trials in under two seconds, and stays quick', async () => {
    const { url, data } = files.write('large', { trials: 2000 })
    const { page, problems } = await openPage(browser, url)
    const loadMs = () =>
      page.evaluate(() => {
        const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
        return navigation?.loadEventEnd ?? Number.NaN
      })
    let readyMs = await loadMs()
    for (let again = 0; again < 3 && readyMs >= 2000; again++) {
      await page.reload()
      readyMs = Math.min(readyMs, await loadMs())
    }
    expect(await page.locator('#plot .mark').count()).toBe(data.feasible.length)
    expect(readyMs).toBeLessThan(2000)
    const filterMs = await page.evaluate(() => {
      const times = Array.from({ length: 4 }, () => {
        const started = performance.now()
        document.querySelector<HTMLInputElement>('input[name="filter-mode"]')?.click()
        return performance.now() - started
      })
      return Math.min(...times)
    })
    expect(filterMs).toBeLessThan(1000)
    expect(problems).toEqual([])
    await page.close()
  })

  it('reads without scripts: plot, table, importance, failures', async () => {
    const { url } = files.write('static', { trials: 120 })
    const { page } = await openPage(browser, url, { javaScriptEnabled: false })
    expect(await page.locator('#plot svg .cloud').count()).toBe(2)
    expect(await page.locator('#table tbody tr').count()).toBeGreaterThan(5)
    expect(await page.locator('.controls').isVisible()).toBe(false)
    await page.close()
  })

  it('stands with nothing feasible', async () => {
    const { url } = files.write('empty', { trials: 0 })
    const { page, problems } = await openPage(browser, url)
    expect(await page.locator('#results').textContent()).toContain('Nothing feasible was found')
    expect(problems).toEqual([])
    await page.close()
  })
})
