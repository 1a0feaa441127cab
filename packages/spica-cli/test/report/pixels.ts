import type { Browser, Page } from 'playwright-core'

/** What a picture looks like, in numbers. */
export interface PictureFacts {
  readonly width: number
  readonly height: number
  /** Distinct colours, each channel in 16 steps. */
  readonly colours: number
  /** Mean luminance of the corner pixels, 0…255. */
  readonly cornerLuminance: number
  /** Share of pixels that differ from the most frequent colour. */
  readonly inked: number
  /** Share of pixels with strong colour, e.g. marks and bars. */
  readonly colourful: number
}

type Clip = { x: number; y: number; width: number; height: number }

/** Takes a picture of the page, or of a part of it, and measures it in another page. */
export async function pictureFacts(browser: Browser, page: Page, clip?: Clip): Promise<PictureFacts> {
  const png = await page.screenshot(clip === undefined ? { fullPage: true } : { clip })
  const lab = await browser.newPage()
  const facts = await lab.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
    const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D
    context.drawImage(bitmap, 0, 0)
    const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height)
    const counts = new Map<number, number>()
    let colourful = 0
    const luminance = (at: number) =>
      0.2126 * (data[at] as number) + 0.7152 * (data[at + 1] as number) + 0.0722 * (data[at + 2] as number)
    for (let at = 0; at < data.length; at += 4) {
      const [red, green, blue] = [data[at] as number, data[at + 1] as number, data[at + 2] as number]
      const key = ((red >> 4) << 8) | ((green >> 4) << 4) | (blue >> 4)
      counts.set(key, (counts.get(key) ?? 0) + 1)
      if (Math.max(red, green, blue) - Math.min(red, green, blue) > 70) colourful++
    }
    const pixels = data.length / 4
    const last = data.length - 4
    const corners = [0, (bitmap.width - 1) * 4, last - (bitmap.width - 1) * 4, last]
    return {
      width: bitmap.width,
      height: bitmap.height,
      colours: counts.size,
      cornerLuminance: corners.reduce((sum, at) => sum + luminance(at), 0) / corners.length,
      inked: 1 - Math.max(...counts.values()) / pixels,
      colourful: colourful / pixels,
    }
  }, png.toString('base64'))
  await lab.close()
  return facts
}

/** Smallest contrast ratio (WCAG 2) between text and what is behind it, with the element it is at. */
export function worstContrast(page: Page): Promise<{ ratio: number; element: string }> {
  return page.evaluate(() => {
    const channels = (text: string) => (text.match(/[\d.]+/g) ?? []).map(Number)
    const luminance = (colour: number[]) => {
      const [red = 0, green = 0, blue = 0] = colour.slice(0, 3).map((value) => {
        const share = value / 255
        return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
      })
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
    const behind = (element: Element): number[] => {
      for (let at: Element | null = element; at !== null; at = at.parentElement) {
        const colour = channels(getComputedStyle(at).backgroundColor)
        if (colour.length === 3 || (colour[3] ?? 0) > 0.99) return colour
      }
      return [255, 255, 255]
    }
    let worst = { ratio: Number.POSITIVE_INFINITY, element: '' }
    for (const element of document.querySelectorAll<HTMLElement>('main *, .top *, footer')) {
      const own = [...element.childNodes].some((node) => node.nodeType === 3 && (node.textContent ?? '').trim() !== '')
      if (!own || element.closest('[hidden], .sr-only') !== null || element.getClientRects().length === 0) continue
      const style = getComputedStyle(element)
      const front = luminance(channels(element instanceof SVGElement ? style.fill : style.color))
      const back = luminance(behind(element))
      const ratio = (Math.max(front, back) + 0.05) / (Math.min(front, back) + 0.05)
      if (ratio < worst.ratio)
        worst = { ratio, element: `${element.tagName} ${(element.textContent ?? '').slice(0, 40)}` }
    }
    return worst
  })
}
