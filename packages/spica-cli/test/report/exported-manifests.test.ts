import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readManifests } from '../../src/report/exported-manifests.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'spica-exports-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('finds files by candidate, manifests first, without the older API version', () => {
  for (const name of ['candidate-2', 'candidate-12', 'incumbent']) mkdirSync(join(folder, name))
  for (const name of ['commands.sh', 'deployment.yaml', 'deployment-v1alpha1.yaml', 'notes.txt'])
    writeFileSync(join(folder, 'candidate-2', name), name)
  writeFileSync(join(folder, 'candidate-12', 'deployment.yaml'), 'twelve')
  const found = readManifests(folder)
  expect([...found.keys()].toSorted((a, b) => a - b)).toEqual([2, 12])
  expect(found.get(2)?.map(({ text }) => text)).toEqual(['deployment.yaml', 'commands.sh'])
})

it('follows no link, and needs no folder', () => {
  writeFileSync(join(folder, 'secret.yaml'), 'secret')
  mkdirSync(join(folder, 'candidate-1'))
  symlinkSync(join(folder, 'secret.yaml'), join(folder, 'candidate-1', 'linked.yaml'))
  symlinkSync(folder, join(folder, 'candidate-3'))
  expect([...readManifests(folder).values()].flat()).toEqual([])
  expect(readManifests(join(folder, 'absent')).size).toBe(0)
})
