// Reports of the public API: one committed `etc/*.api.md` per entry point, compared with what the build exports now.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import { Extractor, ExtractorConfig } from '@microsoft/api-extractor'
import { root } from '../bootstrap.mjs'
import { entryPoints } from './publishable.mjs'

const COMPILER = {
  compilerOptions: {
    target: 'ES2023',
    lib: ['ES2023', 'DOM'],
    types: ['node'],
    typeRoots: [join(root, 'node_modules', '@types')],
    module: 'NodeNext',
    moduleResolution: 'NodeNext',
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
  },
}

/** Compares (or with `update` rewrites) the reports of one package; answers problems. */
export function apiReportProblems(pkg, update) {
  const problems = []
  for (const entry of entryPoints(pkg)) problems.push(...reportProblems(pkg, entry, update))
  return problems
}

function reportProblems(pkg, entry, update) {
  const folder = join(pkg.path, 'etc')
  const temporary = mkdtempSync(join(tmpdir(), 'spica-api-'))
  const reportFileName = `${basename(pkg.manifest.name)}${entry.suffix}`
  mkdirSync(folder, { recursive: true })
  const config = ExtractorConfig.prepare({
    packageJsonFullPath: join(pkg.path, 'package.json'),
    configObjectFullPath: undefined,
    configObject: {
      projectFolder: pkg.path,
      mainEntryPointFilePath: entry.types,
      newlineKind: 'lf',
      enumMemberOrder: 'preserve',
      compiler: { overrideTsconfig: { ...COMPILER, include: [entry.types] } },
      apiReport: { enabled: true, reportFileName, reportFolder: folder, reportTempFolder: temporary },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: {
        compilerMessageReporting: { default: { logLevel: 'error' } },
        extractorMessageReporting: {
          default: { logLevel: 'warning' },
          'ae-missing-release-tag': { logLevel: 'none' },
          'ae-forgotten-export': { logLevel: 'none' },
          'ae-unresolved-link': { logLevel: 'none' },
        },
        tsdocMessageReporting: { default: { logLevel: 'none' } },
      },
    },
  })
  const errors = []
  const result = Extractor.invoke(config, {
    localBuild: update,
    messageCallback: (message) => {
      message.handled = true
      if (message.logLevel === 'error' || message.messageId === 'ae-wrong-input-file-type') errors.push(message.text)
    },
  })
  rmSync(temporary, { recursive: true, force: true })
  const where = relative(root, join(folder, `${reportFileName}.api.md`))
  if (errors.length > 0) return errors.map((text) => `${where}: ${text}`)
  if (result.apiReportChanged && !update)
    return [`${where}: the public API differs from the committed report (node scripts/check-packages.mjs --update)`]
  return []
}
