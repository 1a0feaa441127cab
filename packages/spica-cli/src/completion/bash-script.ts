import type { CompletionCommand, CompletionValue } from './command-table.js'

/** A script for bash: `source <(spica completion bash)`. Needs nothing but bash itself. */
export function bashScript(table: readonly CompletionCommand[]): string {
  const paths = table.filter(({ path }) => path !== '').map(({ path }) => quoted(path))
  const valued = table.flatMap((command) =>
    command.flags.filter(({ value }) => value !== null).map(({ name }) => quoted(`${command.path}|${name}`)),
  )
  const values = table.flatMap((command) =>
    command.flags
      .filter(({ value }) => value !== null)
      .map(({ name, value }) => `    ${quoted(`${command.path}|${name}`)}) ${reply(value!)}; return ;;`),
  )
  const words = table.map(({ path, subcommands, flags, argument }) => {
    const names = subcommands.map(({ name }) => name).join(' ')
    const plain = argument === null ? `COMPREPLY=($(compgen -W ${quoted(names)} -- "$cur"))` : reply(argument)
    return `    ${quoted(path)})
      if [[ "$cur" == -* ]]; then COMPREPLY=($(compgen -W ${quoted(flags.map(({ name }) => name).join(' '))} -- "$cur"))
      else ${plain}; fi ;;`
  })
  return `# bash completion of spica. Load it with: source <(spica completion bash)
_spica() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" at="" i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at|\${COMP_WORDS[i-1]}" in ${valued.join('|')}) continue ;; esac
    case "\${at:+$at }\${COMP_WORDS[i]}" in
      ${paths.join('|')}) at="\${at:+$at }\${COMP_WORDS[i]}" ;;
    esac
  done
  case "$at|$previous" in
${values.join('\n')}
  esac
  case "$at" in
${words.join('\n')}
  esac
}
complete -o filenames -F _spica spica
`
}

function reply(value: CompletionValue): string {
  if (value.kind === 'words') return `COMPREPLY=($(compgen -W ${quoted(value.words.join(' '))} -- "$cur"))`
  if (value.kind === 'file') return 'COMPREPLY=($(compgen -f -- "$cur"))'
  if (value.kind === 'folder') return 'COMPREPLY=($(compgen -d -- "$cur"))'
  return 'COMPREPLY=()'
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
