import { readFileSync } from 'node:fs'

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

/** Version of this package. Sweeps, their workers and resumed studies must agree on it. */
export const VERSION: string = manifest.version
