// Before the site is built: reference pages from the code, and API pages by typedoc.
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const docs = fileURLToPath(new URL('..', import.meta.url))
rmSync(`${docs}reference/api`, { recursive: true, force: true })
for (const script of ['write-reference.mjs', 'write-api.mjs']) {
  const result = spawnSync(process.execPath, [`${docs}scripts/${script}`], { cwd: docs, stdio: 'inherit' })
  if (result.status !== 0) process.exit(result.status ?? 1)
}
