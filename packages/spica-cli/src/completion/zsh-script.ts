import type { CompletionCommand, CompletionValue } from './command-table.js'

/** A script for zsh: a file `_spica` on `fpath`, or `source <(spica completion zsh)` after compinit. */
export function zshScript(table: readonly CompletionCommand[]): string {
  const paths = table.filter(({ path }) => path !== '').map(({ path }) => quoted(path))
  const valued = table.flatMap((command) =>
    command.flags.filter(({ value }) => value !== null).map(({ name }) => quoted(`${command.path}|${name}`)),
  )
  const values = table.flatMap((command) =>
    command.flags
      .filter(({ value }) => value !== null)
      .map(({ name, value }) => `    ${quoted(`${command.path}|${name}`)}) ${offer(value!)}; return ;;`),
  )
  const commands = table.map(({ path, subcommands, flags, argument }) => {
    const lines = [
      `    ${quoted(path)})`,
      `      offered=(${flags.map(({ name, description }) => described(name, description)).join(' ')})`,
      `      if [[ "$PREFIX" == -* ]]; then _describe -o option offered; return; fi`,
    ]
    if (subcommands.length > 0)
      lines.push(
        `      offered=(${subcommands.map(({ name, description }) => described(name, description)).join(' ')})`,
        '      _describe command offered',
      )
    if (argument !== null) lines.push(`      ${offer(argument)}`)
    return `${lines.join('\n')} ;;`
  })
  return `#compdef spica
# zsh completion of spica. Save it as _spica in a folder of $fpath, or load it with: source <(spica completion zsh)
_spica() {
  local at="" i
  local -a offered
  for ((i = 2; i < CURRENT; i++)); do
    case "$at|\${words[i-1]}" in ${valued.join('|')}) continue ;; esac
    case "\${at:+$at }\${words[i]}" in
      ${paths.join('|')}) at="\${at:+$at }\${words[i]}" ;;
    esac
  done
  case "$at|\${words[CURRENT-1]}" in
${values.join('\n')}
  esac
  case "$at" in
${commands.join('\n')}
  esac
}
if [[ "\${funcstack[1]}" == _spica ]]; then _spica "$@"; else compdef _spica spica; fi
`
}

function offer(value: CompletionValue): string {
  if (value.kind === 'words') return `compadd -- ${value.words.map(quoted).join(' ')}`
  if (value.kind === 'file') return '_files'
  if (value.kind === 'folder') return '_files -/'
  return '_message value'
}

/** `name:description`, colons of the name escaped, as _describe reads it. */
function described(name: string, description: string): string {
  return quoted(`${name.replaceAll(':', '\\:')}:${description}`)
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
