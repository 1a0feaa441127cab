import { spawnSync } from 'node:child_process'
import { Argument, Command, Option } from 'commander'
import { describe, expect, it } from 'vitest'
import { registerCompletion } from '../../src/commands/completion.js'
import { bashScript } from '../../src/completion/bash-script.js'
import { commandTable } from '../../src/completion/command-table.js'
import { fishScript } from '../../src/completion/fish-script.js'
import { zshScript } from '../../src/completion/zsh-script.js'

function sampleProgram(): Command {
  const program = new Command('spica')
    .exitOverride()
    .configureOutput({ writeErr() {} })
    .option('--debug', 'show stack traces')
  program
    .command('sweep', { isDefault: true })
    .description("search a config's deployments")
    .option('--config <file>', 'sweep config')
    .option('--out <folder>', 'where to save')
    .addOption(new Option('--perf-model <name>', 'pass times').choices(['roofline', 'table']))
  const trace = program.command('trace').description('look at traces')
  trace.command('check').argument('<file>', 'a trace').option('--json', 'print JSON')
  trace.command('synth').addArgument(new Argument('<profile>', 'shape').choices(['sine', 'ramp']))
  return program
}

/** What bash offers for the words of a command line, the last of which is being typed. */
function completions(...words: string[]): string[] {
  const script = `${bashScript(commandTable(sampleProgram()))}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')})
COMP_CWORD=${words.length - 1}
_spica
printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout, stderr, status } = spawnSync('bash', ['-c', script], { encoding: 'utf8', cwd: import.meta.dirname })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return stdout.split('\n').filter((line) => line !== '')
}

describe('bash completion', () => {
  it('offers commands, and those of a command', () => {
    expect(completions('spica', '')).toEqual(['sweep', 'trace'])
    expect(completions('spica', 'tr')).toEqual(['trace'])
    expect(completions('spica', 'trace', '')).toEqual(['check', 'synth'])
  })
  it('offers flags of the command at hand; those of the default command also without its name', () => {
    expect(completions('spica', 'sweep', '--')).toEqual(['--config', '--out', '--perf-model', '--help'])
    expect(completions('spica', '--')).toEqual(['--debug', '--config', '--out', '--perf-model', '--help'])
    expect(completions('spica', 'trace', 'check', '--')).toEqual(['--json', '--help'])
  })
  it('offers the values of a flag', () => {
    expect(completions('spica', 'sweep', '--perf-model', '')).toEqual(['roofline', 'table'])
    expect(completions('spica', '--perf-model', 'ta')).toEqual(['table'])
    expect(completions('spica', 'sweep', '--config', 'completion.t')).toEqual(['completion.test.ts'])
    expect(completions('spica', 'trace', 'check', 'completion.t')).toEqual(['completion.test.ts'])
  })
  it('offers the values of an argument, also after a flag with a value', () => {
    expect(completions('spica', 'trace', 'synth', 's')).toEqual(['sine'])
    expect(completions('spica', '--out', 'trace', 'tr')).toContain('trace')
  })
})

describe('zsh and fish completion', () => {
  const table = commandTable(sampleProgram())
  it('names every command and flag', () => {
    for (const script of [zshScript(table), fishScript(table)]) {
      for (const { path } of table) expect(script).toContain(path)
      for (const flag of ['config', 'out', 'perf-model', 'json', 'debug']) expect(script).toContain(flag)
    }
  })
  it('quotes what a shell would read', () => {
    expect(zshScript(table)).toContain("'sweep:search a config'\\''s deployments'")
    expect(fishScript(table)).toContain("'search a config\\'s deployments'")
  })
})

describe('spica completion', () => {
  it('prints a script for each shell and refuses others', async () => {
    for (const shell of ['bash', 'zsh', 'fish']) {
      let printed = ''
      const program = sampleProgram()
      const stream = { write: (text: string) => void (printed += text) }
      registerCompletion(program, { stdout: stream, stderr: stream, setExitCode() {}, onInterrupt: () => () => {} })
      await program.parseAsync(['node', 'spica', 'completion', shell])
      expect(printed).toContain('completion')
      expect(printed).toContain('perf-model')
      await expect(program.parseAsync(['node', 'spica', 'completion', `${shell}x`])).rejects.toThrow()
    }
  })
})
