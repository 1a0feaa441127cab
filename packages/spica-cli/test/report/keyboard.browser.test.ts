import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ReportData } from '../../src/report/report-data.js'
import { lacksChromium, launchChromium, openPage } from './chromium.js'
import { reportFiles } from './report-files.js'

const files = reportFiles()
let browser: Browser
let url: string
let data: ReportData

beforeAll(async () => {
  if (lacksChromium) return
  browser = await launchChromium()
  ;({ url, data } = files.write('keyboard', { trials: 120 }))
})
afterAll(async () => {
  await browser?.close()
  files.dispose()
})

const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('data-trial') ?? '')
const label = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '')

/** Presses Tab until what has the focus matches. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let press = 0; press < 60; press++) {
    await page.keyboard.press('Tab')
    if (await page.evaluate((css) => document.activeElement?.matches(css) ?? false, selector)) return
  }
  throw new Error(`Tab never reached ${selector}`)
}

describe.skipIf(lacksChromium)('the report by keyboard', () => {
  it('walks along the points, selects some, and opens one', async () => {
    const { page, problems } = await openPage(browser, url)
    await tabTo(page, '#plot .mark')
    const first = await focused(page)
    expect(await label(page)).toMatch(/^(Candidate|Trial) \d+, \w+ (agg|disagg) .*tok\/s/)
    await page.keyboard.press('ArrowRight')
    expect(await focused(page)).not.toBe(first)
    expect(await page.locator('#tooltip').isVisible()).toBe(true)
    await page.keyboard.press('ArrowLeft')
    expect(await focused(page)).toBe(first)
    await page.keyboard.press('End')
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Space')
    expect(await page.locator('#plot .mark.picked').count()).toBe(2)
    await page.keyboard.press('Escape')
    expect(await page.locator('#plot .mark.picked').count()).toBe(0)
    const here = await focused(page)
    await page.keyboard.press('+')
    expect(await focused(page)).toBe(here)
    await page.keyboard.press('0')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.locator('#candidate').isVisible()).toBe(true)
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('candidate-title')
    expect(problems).toEqual([])
    await page.close()
  })

  it('leaves the plot by one Tab, and walks the table by arrows', async () => {
    const { page, problems } = await openPage(browser, url)
    await tabTo(page, '#plot .mark')
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.closest('#plot'))).toBeNull()
    await tabTo(page, '#table tbody tr')
    expect(await focused(page)).toBe(String(data.candidates[0]?.trial))
    await page.keyboard.press('ArrowDown')
    expect(await focused(page)).toBe(String(data.candidates[1]?.trial))
    await page.keyboard.press('Enter')
    await expect.poll(() => page.locator('#candidate-title').textContent()).toContain('Candidate 2')
    await page.goBack()
    await expect.poll(() => page.locator('#overview').isVisible()).toBe(true)
    const back = page.evaluate(() => document.activeElement?.getAttribute('href'))
    expect(await back).toBe(`#trial-${data.candidates[1]?.trial}`)
    expect(await page.evaluate(() => scrollY)).toBeGreaterThan(200)
    expect(problems).toEqual([])
    await page.close()
  })

  it('sorts by keyboard and says so', async () => {
    const { page } = await openPage(browser, url)
    await tabTo(page, '#table thead button')
    await page.keyboard.press('Enter')
    expect(await page.locator('#table thead th').first().getAttribute('aria-sort')).toBe('descending')
    await page.close()
  })

  it('names every control', async () => {
    const { page } = await openPage(browser, url)
    const nameless = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('button, select, input, a, summary')]
        .filter((element) => {
          const labels = 'labels' in element ? [...((element as HTMLInputElement).labels ?? [])] : []
          const names = [
            element.getAttribute('aria-label'),
            element.textContent,
            ...labels.map((one) => one.textContent),
          ]
          return element.offsetParent !== null && !names.some((name) => (name ?? '').trim() !== '')
        })
        .map((element) => element.outerHTML),
    )
    expect(nameless).toEqual([])
    await page.close()
  })
})
