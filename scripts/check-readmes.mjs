#!/usr/bin/env node
// Runs the examples of the documentation against the built packages, so that they cannot rot.
//   ```js                in packages/*/README.md and README.md: run from that folder
//   ```js run            in docs/: run from packages/spica-cli, where every package can be imported
//   ```yaml file=NAME    (any language) written to NAME in the page's own empty folder
//   ```sh run            run there, with `spica` on the PATH; blocks of one page share the folder, in order
//   ```sh run exit=2     the same, for commands that must end with another code
// Arguments: pages to check (default: all). Pages are never changed.
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, relative, resolve } from 'node:path'
import { root } from './bootstrap.mjs'

const cli = join(root, 'packages', 'spica-cli')
const pages = process.argv.length > 2 ? process.argv.slice(2).map((path) => resolve(path)) : allPages()
const scratch = mkdtempSync(join(tmpdir(), 'spica-readmes-'))
const bin = commandFolder(join(scratch, 'bin'))
let passed = 0
const failures = []

try {
  for (const [index, page] of pages.entries()) checkPage(page, join(scratch, String(index)))
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
for (const failure of failures) process.stderr.write(`${failure}\n`)
process.stdout.write(`Documentation examples: ${passed} passed; ${failures.length} failed\n`)
process.exit(failures.length > 0 || passed === 0 ? 1 : 0)

function allPages() {
  const readmes = [root, ...readdirSync(join(root, 'packages')).map((name) => join(root, 'packages', name))]
    .map((folder) => join(folder, 'README.md'))
    .filter((path) => existsSync(path))
  const guide = ['guide', 'concepts'].flatMap((name) => {
    const folder = join(root, 'docs', name)
    if (!existsSync(folder)) return []
    return readdirSync(folder)
      .sort()
      .filter((file) => file.endsWith('.md'))
      .map((file) => join(folder, file))
  })
  return [...readmes, ...guide]
}

/** A folder with a `spica` command that runs the built command-line program. */
function commandFolder(folder) {
  mkdirSync(folder, { recursive: true })
  const command = join(folder, 'spica')
  writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" "${join(cli, 'dist', 'main.js')}" "$@"\n`)
  chmodSync(command, 0o755)
  return folder
}

/** Fenced blocks of a page: language, words after it, text, line number. */
function blocksOf(text) {
  const blocks = []
  for (const match of text.matchAll(/^```([a-z]+)([^\n]*)\n([\s\S]*?)^```$/gm)) {
    const words = match[2].trim().split(/\s+/).filter(Boolean)
    const options = Object.fromEntries(words.map((word) => [...word.split('='), 'yes'].slice(0, 2)))
    blocks.push({
      language: match[1],
      options,
      text: match[3],
      line: text.slice(0, match.index).split('\n').length,
    })
  }
  return blocks
}

function checkPage(page, folder) {
  const isReadme = page.endsWith('README.md')
  mkdirSync(folder, { recursive: true })
  for (const block of blocksOf(readFileSync(page, 'utf8'))) {
    const where = `${relative(root, page)}:${block.line}`
    const { options } = block
    if (options.file !== undefined) {
      mkdirSync(dirname(join(folder, options.file)), { recursive: true })
      writeFileSync(join(folder, options.file), block.text)
    } else if (block.language === 'js' && (isReadme || options.run !== undefined)) {
      const from = isReadme && dirname(page) !== resolve(root) ? dirname(page) : cli
      attempt(where, process.execPath, ['--input-type=module', '--eval', block.text], from, 0)
    } else if (block.language === 'sh' && options.run !== undefined) {
      attempt(where, 'bash', ['-euo', 'pipefail', '-c', block.text], folder, Number(options.exit ?? 0))
    }
  }
}

function attempt(where, command, args, cwd, expected) {
  const result = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    timeout: 180_000,
    env: { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}`, NO_COLOR: '1' },
  })
  if (result.status === expected) {
    passed++
    return
  }
  const output = `${result.stdout ?? ''}${result.stderr ?? ''}`.trim().split('\n').slice(-15).join('\n  ')
  failures.push(`${where}: ended with ${result.status ?? result.signal}, expected ${expected}\n  ${output}`)
}
