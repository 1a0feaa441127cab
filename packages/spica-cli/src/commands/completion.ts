import { Argument } from 'commander'
import { bashScript } from '../completion/bash-script.js'
import { type CompletionCommand, commandTable } from '../completion/command-table.js'
import { fishScript } from '../completion/fish-script.js'
import { zshScript } from '../completion/zsh-script.js'
import type { CommandRegistration } from './command.js'

const SCRIPTS: Readonly<Record<string, (table: readonly CompletionCommand[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
}

export const registerCompletion: CommandRegistration = (program, environment) => {
  program
    .command('completion')
    .description('print a completion script for your shell')
    .addArgument(new Argument('<shell>', 'bash: source <(spica completion bash)').choices(Object.keys(SCRIPTS)))
    .action((shell: string) => {
      environment.stdout.write(SCRIPTS[shell]!(commandTable(program)))
    })
}
