// API pages by typedoc, one per entry point of the published packages, into reference/api (not committed).
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Application } from 'typedoc'

const docs = fileURLToPath(new URL('..', import.meta.url))
const packages = fileURLToPath(new URL('../../packages/', import.meta.url))

/** Source file of each entry point → its name in the site, for example `catalog/node`. */
const names = new Map()
for (const folder of readdirSync(packages).sort()) {
  const file = `${packages}${folder}/package.json`
  if (!existsSync(file)) continue
  const manifest = JSON.parse(readFileSync(file, 'utf8'))
  for (const [entry, target] of Object.entries(manifest.exports)) {
    // `core` holds a part of what the main entry of its package exports.
    if (typeof target === 'string' || entry === './core') continue
    const source = `${packages}${folder}/${target['spica:source'].slice(2)}`
    names.set(source, `${manifest.name.slice('@spica/'.length)}${entry.slice(1)}`)
  }
}

const app = await Application.bootstrapWithPlugins({
  plugin: ['typedoc-plugin-markdown'],
  tsconfig: `${docs}tsconfig.typedoc.json`,
  entryPoints: [...names.keys()],
  readme: 'none',
  skipErrorChecking: true,
  disableSources: true,
  validation: false,
  logLevel: 'Error',
  hidePageHeader: true,
  hideBreadcrumbs: true,
  useCodeBlocks: true,
  out: `${docs}reference/api`,
  router: 'module',
})
const project = await app.convert()
if (project === undefined) process.exit(1)
for (const module of project.children ?? []) {
  const source = project.getSymbolIdFromReflection(module)?.fileName ?? ''
  const name = names.get(source)
  if (name === undefined) throw new Error(`no entry point for module ${module.name} (${relative(docs, source)})`)
  module.name = name
}
await app.generateOutputs(project)
if (app.logger.hasErrors()) process.exit(1)
rmSync(`${docs}reference/api/README.md`, { force: true })
for (const name of names.values()) {
  const page = `${docs}reference/api/${name}.md`
  writeFileSync(page, `---\neditLink: false\n---\n\n${readFileSync(page, 'utf8').replace(/^# /, '# @spica/')}`)
}
