import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const FOLDERS = ['/usr/bin', ...(process.env['PATH'] ?? '').split(delimiter)]

/** Path of a Chromium on this machine, or null. */
export const chromiumPath: string | null =
  FOLDERS.flatMap((folder) => NAMES.map((name) => join(folder, name))).find((path) => existsSync(path)) ?? null

/** True when browser tests cannot run here; in CI they must, and fail instead. */
export const lacksChromium: boolean = chromiumPath === null && (process.env['CI'] ?? '') === ''

export function launchChromium(): Promise<Browser> {
  if (chromiumPath === null) throw new Error('no Chromium found; install the chromium package')
  return chromium.launch({
    executablePath: chromiumPath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}

export interface OpenedPage {
  readonly page: Page
  /** Errors of the page, refused resources, and requests for anything but the page itself. */
  readonly problems: string[]
}

/** Opens a page of HTML from a file, with everything that goes wrong on it written down. */
export async function openPage(
  browser: Browser,
  url: string,
  options: { colorScheme?: 'light' | 'dark'; width?: number; javaScriptEnabled?: boolean } = {},
): Promise<OpenedPage> {
  const page = await browser.newPage({
    colorScheme: options.colorScheme ?? 'light',
    viewport: { width: options.width ?? 1280, height: 900 },
    javaScriptEnabled: options.javaScriptEnabled ?? true,
    reducedMotion: 'reduce',
  })
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  page.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    if (request.url() !== url.replace(/#.*/, '')) problems.push(`request: ${request.url()}`)
  })
  await page.goto(url)
  return { page, problems }
}
