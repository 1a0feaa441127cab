import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ReportData } from '../../src/report/report-data.js'
import { lacksChromium, launchChromium, openPage } from './chromium.js'
import { pictureFacts, worstContrast } from './pixels.js'
import { OVERLAY, reportFiles } from './report-files.js'

const files = reportFiles()
let browser: Browser
let url: string
let data: ReportData

beforeAll(async () => {
  if (lacksChromium) return
  browser = await launchChromium()
  ;({ url, data } = files.write('looks', { trials: 120 }, { overlay: OVERLAY }))
})
afterAll(async () => {
  await browser?.close()
  files.dispose()
})

describe.skipIf(lacksChromium)('the looks of a report', () => {
  it.each(['light', 'dark'] as const)(
    'are %s where the reader likes it so, and show marks, text and bars',
    async (colorScheme) => {
      const { page } = await openPage(browser, url, { colorScheme })
      const whole = await pictureFacts(browser, page)
      if (colorScheme === 'dark') expect(whole.cornerLuminance).toBeLessThan(40)
      else expect(whole.cornerLuminance).toBeGreaterThan(235)
      expect(whole.inked).toBeGreaterThan(0.03)
      const plot = await page.locator('#plot').boundingBox()
      const marks = await pictureFacts(browser, page, plot as { x: number; y: number; width: number; height: number })
      expect(marks.colourful).toBeGreaterThan(0.004)
      expect(marks.colourful).toBeLessThan(0.3)
      expect(marks.colours).toBeGreaterThan(12)
      await page.close()
    },
  )

  it.each(['light', 'dark'] as const)('keep text readable in %s: contrast of 4.5 or more', async (colorScheme) => {
    const { page } = await openPage(browser, url, { colorScheme })
    const overview = await worstContrast(page)
    expect(overview.ratio, overview.element).toBeGreaterThanOrEqual(4.5)
    await page.goto(`${url}#trial-${data.candidates[0]?.trial}`)
    const candidate = await worstContrast(page)
    expect(candidate.ratio, candidate.element).toBeGreaterThanOrEqual(4.5)
    await page.close()
  })

  it.each([360, 768, 1280, 1920])('never overflow sideways at %i pixels', async (width) => {
    const { page } = await openPage(browser, url, { width })
    const overflow = () =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    expect(await overflow()).toBe(0)
    await page.goto(`${url}#trial-${data.candidates[0]?.trial}`)
    expect(await overflow()).toBe(0)
    await page.close()
  })

  it('print in black on white, without controls, from a dark screen too', async () => {
    const { page } = await openPage(browser, url, { colorScheme: 'dark' })
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    expect(await page.locator('.controls').isVisible()).toBe(false)
    expect(await page.locator('#table-more').isVisible()).toBe(false)
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(255, 255, 255)')
    await page.setViewportSize({ width: 680, height: 900 })
    const cut = () =>
      page.evaluate(() => {
        const wide = [...document.querySelectorAll('table')].map((table) => table.getBoundingClientRect().right)
        return Math.max(...wide) - document.documentElement.clientWidth
      })
    expect(await cut()).toBeLessThanOrEqual(0)
    const pdf = await page.pdf({ format: 'A4' })
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
    const pages = pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length ?? 0
    expect(pages).toBeGreaterThan(1)
    expect(pages).toBeLessThan(12)
    await page.close()
  })
})
