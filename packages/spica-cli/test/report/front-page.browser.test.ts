import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ReportData } from '../../src/report/report-data.js'
import { lacksChromium, launchChromium, type OpenedPage, openPage } from './chromium.js'
import { OVERLAY, reportFiles } from './report-files.js'

const files = reportFiles()
let browser: Browser
let url: string
let data: ReportData

beforeAll(async () => {
  if (lacksChromium) return
  browser = await launchChromium()
  ;({ url, data } = files.write('front', { trials: 150 }, { overlay: OVERLAY }))
})
afterAll(async () => {
  await browser?.close()
  files.dispose()
})

async function opened(run: (opened: OpenedPage) => Promise<void>): Promise<void> {
  const one = await openPage(browser, url)
  await run(one)
  expect(one.problems).toEqual([])
  await one.page.close()
}

const text = (page: Page, selector: string) => page.locator(selector).textContent()
const marks = (page: Page) => page.locator('#plot .mark').count()
const ticks = (page: Page) => page.locator('#plot .tick').allTextContents()

describe.skipIf(lacksChromium)('the front page in Chromium', () => {
  it('draws every feasible trial, the front and the overlay', () =>
    opened(async ({ page }) => {
      expect(await marks(page)).toBe(data.feasible.length)
      expect(await page.locator('#plot .mark.strong').count()).toBe(data.candidates.length)
      expect(await page.locator('#plot .boundary').count()).toBe(1)
      expect(await page.locator('#plot path.overlay').count()).toBe(1)
      expect(await page.locator('#plot line.overlay').count()).toBe(1)
    }))

  it('shows a point under the pointer and marks its row', () =>
    opened(async ({ page }) => {
      const best = data.candidates[0]?.trial
      expect(await page.locator('#plot .halo').isVisible()).toBe(false)
      await page.locator(`#plot .mark[data-trial="${best}"]`).hover({ force: true })
      expect(await text(page, '#tooltip')).toMatch(/^Candidate 1 [\s\S]*tok\/s\/GPU/)
      expect(await page.locator(`#table tr[data-trial="${best}"].highlighted`).count()).toBe(1)
      expect(await page.locator('#plot .halo').isVisible()).toBe(true)
      await page.locator('h1').hover()
      expect(await page.locator('#tooltip').isVisible()).toBe(false)
    }))

  it('names an overlaid point', () =>
    opened(async ({ page }) => {
      await page.locator('#plot path.overlay').hover({ force: true })
      expect(await text(page, '#tooltip')).toMatch(/lab TP8[\s\S]*lab\.csv[\s\S]*1,400/)
    }))

  it('zooms by button, wheel and selection, and resets', () =>
    opened(async ({ page }) => {
      const before = await ticks(page)
      await page.locator('#zoom-in').click()
      expect(await ticks(page)).not.toEqual(before)
      await page.locator('#zoom-reset').click()
      expect(await ticks(page)).toEqual(before)
      const box = (await page.locator('#plot').boundingBox()) as { x: number; y: number }
      await page.mouse.move(box.x + 400, box.y + 200)
      await page.keyboard.down('Control')
      await page.mouse.wheel(0, -300)
      await page.keyboard.up('Control')
      await expect.poll(() => ticks(page)).not.toEqual(before)
      await page.mouse.dblclick(box.x + 890, box.y + 30)
      expect(await ticks(page)).toEqual(before)
    }))

  it('leaves the wheel to the page until it is asked for', () =>
    opened(async ({ page }) => {
      const before = await ticks(page)
      await page.locator('#plot').hover()
      await page.mouse.wheel(0, 200)
      expect(await ticks(page)).toEqual(before)
    }))

  it('filters by backend, mode and shape, in plot and table', () =>
    opened(async ({ page }) => {
      await page.locator('input[name="scope"][value="feasible"]').check()
      await page.locator('input[name="filter-backend"][value="vllm"]').uncheck()
      const others = data.trials.filter((trial) => trial.status === 'feasible' && trial.backend !== 'vllm')
      expect(await marks(page)).toBe(others.length)
      expect(await text(page, '#table-count')).toContain(`of ${others.length} shown`)
      await page.locator('input[name="filter-mode"][value="agg"]').uncheck()
      const split = others.filter((trial) => trial.mode === 'disagg')
      expect(await marks(page)).toBe(split.length)
      const layout = split[0]?.layout as string
      await page.locator('#filter-shape').selectOption(layout)
      expect(await marks(page)).toBe(split.filter((trial) => trial.layout === layout).length)
    }))

  it('brushes points into the table and zooms to them', () =>
    opened(async ({ page }) => {
      await page.locator('#plot').scrollIntoViewIfNeeded()
      const box = (await page.locator('#plot').boundingBox()) as { x: number; y: number }
      await page.mouse.move(box.x + 75, box.y + 20)
      await page.mouse.down()
      await page.mouse.move(box.x + 260, box.y + 200, { steps: 4 })
      expect(await page.locator('#plot .brush').isVisible()).toBe(true)
      await page.mouse.up()
      expect(await page.locator('#plot .brush').isVisible()).toBe(false)
      const picked = await page.locator('#plot .mark.picked').count()
      expect(picked).toBeGreaterThan(3)
      expect(picked).toBeLessThan(data.feasible.length)
      expect(await text(page, '#table-count')).toContain(`${picked} selected in the plot`)
      const before = await ticks(page)
      await page.locator('#zoom-selection').click()
      expect(await ticks(page)).not.toEqual(before)
      await page.locator('#clear-selection').click()
      expect(await page.locator('#plot .mark.dim').count()).toBe(0)
    }))

  it('draws logarithmic axes and other measures', () =>
    opened(async ({ page }) => {
      await page.locator('#log-y').check()
      expect(await page.locator('#plot .axis-title').allTextContents()).toEqual(
        expect.arrayContaining([expect.stringContaining('log scale')]),
      )
      const labels = await ticks(page)
      expect(labels).toEqual(expect.arrayContaining(['100', '1000']))
      await page.locator('#axis-x').selectOption('mean_ttft_ms')
      expect(await page.locator('#plot .axis-title').first().textContent()).toContain('Mean TTFT, ms')
      expect(await page.locator('#plot .boundary').count()).toBe(0)
    }))

  it('sorts by any column and shows failures with their reason', () =>
    opened(async ({ page }) => {
      await page.locator('#table thead button', { hasText: 'GPUs' }).click()
      const gpus = await page.locator('#table tbody tr td:nth-child(5)').allTextContents()
      expect(gpus.map(Number)).toEqual(gpus.map(Number).toSorted((a, b) => b - a))
      expect(await page.locator('#table th[aria-sort="descending"]').textContent()).toContain('GPUs')
      await page.locator('input[name="scope"][value="all"]').check()
      for (let press = 0; press < 10 && (await page.locator('#table-more').isVisible()); press++)
        await page.locator('#table-more').click()
      expect(await page.locator('#table td[title*="GiB short"]').count()).toBeGreaterThan(5)
    }))
})
