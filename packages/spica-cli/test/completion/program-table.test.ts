import { describe, expect, it } from 'vitest'
import { createProgram } from '../../src/commands/program.js'
import { commandTable } from '../../src/completion/command-table.js'

const sink = { write: () => true }
const table = commandTable(createProgram({ stdout: sink, stderr: sink, setExitCode() {}, onInterrupt: () => () => {} }))
const choicesOf = (path: string, flag: string) =>
  table.find((command) => command.path === path)?.flags.find(({ name }) => name === flag)?.value

describe('the command table of the program', () => {
  it('has every command once, each with a description for people', () => {
    const paths = table.map(({ path }) => path)
    expect(new Set(paths).size).toBe(paths.length)
    for (const { subcommands } of table) {
      for (const { description } of subcommands) expect(description).not.toBe('')
    }
    for (const { path, flags } of table) {
      for (const { name, description } of flags)
        expect({ path, name, empty: description === '' }).toMatchObject({ empty: false })
    }
  })
  it('tells files, folders, menus and free text apart', () => {
    expect(choicesOf('sweep', '--config')).toEqual({ kind: 'file' })
    expect(choicesOf('sweep', '--resume')).toEqual({ kind: 'folder' })
    expect(choicesOf('sweep', '--perf-db')).toEqual({ kind: 'file' })
    expect(choicesOf('sweep', '--executor')).toMatchObject({ kind: 'words' })
    expect(choicesOf('sweep', '--seed')).toEqual({ kind: 'any' })
    expect(choicesOf('sweep', '--quiet')).toBeNull()
    expect(choicesOf('trace convert', '--out')).toEqual({ kind: 'file' })
  })
  it('lets the flags of sweep stand without the word', () => {
    expect(choicesOf('', '--config')).toEqual({ kind: 'file' })
  })
})
