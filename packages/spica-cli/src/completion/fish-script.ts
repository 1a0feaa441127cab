import type { CompletionCommand, CompletionValue } from './command-table.js'

/** A script for fish: `spica completion fish > ~/.config/fish/completions/spica.fish`. */
export function fishScript(table: readonly CompletionCommand[]): string {
  const paths = table.filter(({ path }) => path !== '').map(({ path }) => quoted(path))
  const lines = table.flatMap(({ path, subcommands, flags, argument }) => {
    const here = `complete -c spica -n ${quoted(`__spica_at ${JSON.stringify(path)}`)}`
    return [
      ...subcommands.map(({ name, description }) => `${here} -f -a ${quoted(name)} -d ${quoted(description)}`),
      ...flags.map(
        ({ name, description, value }) => `${here} -l ${name.slice(2)}${flagValue(value)} -d ${quoted(description)}`,
      ),
      ...(argument === null ? [] : [`${here} ${argumentValue(argument)}`]),
    ]
  })
  return `# fish completion of spica. Save it as ~/.config/fish/completions/spica.fish
set -g __spica_commands ${paths.join(' ')}
function __spica_at
  set -l at ''
  for word in (commandline -opc)[2..-1]
    set -l next (string trim -- "$at $word")
    contains -- $next $__spica_commands; and set at $next
  end
  test "$at" = "$argv[1]"
end
complete -c spica -f
${lines.join('\n')}
`
}

function flagValue(value: CompletionValue | null): string {
  if (value === null) return ''
  if (value.kind === 'words') return ` -x -a ${quoted(value.words.join(' '))}`
  if (value.kind === 'file') return ' -r -F'
  if (value.kind === 'folder') return " -x -a '(__fish_complete_directories)'"
  return ' -x'
}

function argumentValue(value: CompletionValue): string {
  if (value.kind === 'words') return `-f -a ${quoted(value.words.join(' '))}`
  if (value.kind === 'folder') return "-f -a '(__fish_complete_directories)'"
  return value.kind === 'file' ? '-F' : '-f'
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
