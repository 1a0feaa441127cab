import type { Argument, Command, Option } from 'commander'

/** What may follow a flag or stand as an argument. */
export type CompletionValue =
  | { kind: 'file' }
  | { kind: 'folder' }
  | { kind: 'words'; words: readonly string[] }
  | { kind: 'any' }

export interface CompletionFlag {
  /** With its dashes: `--config`. */
  readonly name: string
  readonly description: string
  /** null = the flag takes no value. */
  readonly value: CompletionValue | null
}

export interface CompletionWord {
  readonly name: string
  readonly description: string
}

/** One command, as a shell needs to know it. */
export interface CompletionCommand {
  /** Words from the program on, joined by blanks; empty for the program itself. */
  readonly path: string
  readonly subcommands: readonly CompletionWord[]
  readonly flags: readonly CompletionFlag[]
  /** What its arguments are; null when it takes none. */
  readonly argument: CompletionValue | null
}

const HELP: CompletionFlag = { name: '--help', description: 'show help', value: null }

/** Every command of a program, parents first. A default command's flags are also those of its parent. */
export function commandTable(program: Command): readonly CompletionCommand[] {
  const table: CompletionCommand[] = []
  const visit = (command: Command, path: string): void => {
    const helper = command.createHelp()
    const children = helper.visibleCommands(command).filter((child) => child.name() !== 'help')
    const flags = flagsOf(command)
    const known = new Set(flags.map(({ name }) => name))
    const fallback = children.find((child) => child.name() === defaultCommandName(command))
    if (fallback !== undefined) flags.push(...flagsOf(fallback).filter(({ name }) => !known.has(name)))
    table.push({
      path,
      subcommands: children.map((child) => ({ name: child.name(), description: firstLine(child.description()) })),
      flags: [...flags, HELP],
      argument: argumentValue(command.registeredArguments),
    })
    for (const child of children) visit(child, path === '' ? child.name() : `${path} ${child.name()}`)
  }
  visit(program, '')
  return table
}

/** Name of the sub-command that runs when none is named; commander keeps it in a field without accessor. */
function defaultCommandName(command: Command): string | null {
  return (command as unknown as { _defaultCommandName?: string | null })._defaultCommandName ?? null
}

function flagsOf(command: Command): CompletionFlag[] {
  return command.options
    .filter((option) => !option.hidden && option.long != null)
    .map((option) => ({ name: option.long!, description: firstLine(option.description), value: flagValue(option) }))
}

function flagValue(option: Option): CompletionValue | null {
  if (!option.required && !option.optional) return null
  if (option.argChoices !== undefined) return { kind: 'words', words: option.argChoices }
  return namedValue(/[<[]([^>\]]+)[>\]]/.exec(option.flags)?.[1] ?? '')
}

function argumentValue(args: readonly Argument[]): CompletionValue | null {
  const first = args[0]
  if (first === undefined) return null
  if (first.argChoices !== undefined) return { kind: 'words', words: first.argChoices }
  return namedValue(first.name())
}

/** What the placeholder of a value says: `<file>`, `<folder>`, `<path>` are on disk, the rest is free text. */
function namedValue(placeholder: string): CompletionValue {
  if (/^(folder|dir)/i.test(placeholder)) return { kind: 'folder' }
  if (/(file|path|trace|json|csv)/i.test(placeholder)) return { kind: 'file' }
  return { kind: 'any' }
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? ''
}
