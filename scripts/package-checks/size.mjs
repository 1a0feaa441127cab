// Size of each package as a browser or a command would load it: bundled with its dependencies, minified, gzipped.
// Pure packages are bundled for the browser, which also proves that no `node:` import slips into them.
import { isBuiltin } from 'node:module'
import { relative } from 'node:path'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { root } from '../bootstrap.mjs'
import { entryPoints } from './publishable.mjs'
import { SIZE_LIMITS_KB } from './size-limits.mjs'

/** Sizes in kB per entry point, and problems: over the limit, no limit, a Node import where none may be. */
export async function sizeProblems(pkg) {
  const problems = []
  const sizes = []
  const optional = Object.keys(pkg.manifest.optionalDependencies ?? {})
  for (const { name, file } of entryPoints(pkg)) {
    const id = name === '.' ? pkg.manifest.name : `${pkg.manifest.name}${name.slice(1)}`
    const onNode = pkg.manifest.bin !== undefined || name === './node'
    const builtins = new Set()
    const bundle = await rolldown({
      input: file,
      platform: onNode ? 'node' : 'browser',
      external: (source) => {
        if (isBuiltin(source)) builtins.add(source)
        return isBuiltin(source) || optional.some((other) => source === other || source.startsWith(`${other}/`))
      },
      logLevel: 'silent',
    })
    const { output } = await bundle.generate({ format: 'esm', minify: true })
    await bundle.close()
    const code = output.filter((chunk) => chunk.type === 'chunk').map((chunk) => chunk.code)
    const kB = gzipSync(code.join('\n'), { level: 9 }).length / 1000
    sizes.push({ id, kB })
    const limit = SIZE_LIMITS_KB[id]
    if (limit === undefined) problems.push(`${id}: no size limit in scripts/package-checks/size-limits.mjs`)
    else if (kB > limit) problems.push(`${id}: ${kB.toFixed(1)} kB gzipped is over its limit of ${limit} kB`)
    if (!onNode && builtins.size > 0)
      problems.push(`${id}: ${relative(root, file)} pulls in ${[...builtins].join(', ')}, which browsers lack`)
  }
  return { problems, sizes }
}
