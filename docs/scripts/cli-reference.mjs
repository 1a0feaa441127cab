// The command-line page, from the commands the program itself registers.
import { createProgram } from '../../packages/spica-cli/dist/commands/program.js'

const INTRO = `---
aside: false
---

# Command line

\`\`\`
spica [--debug] COMMAND …
\`\`\`

Every command takes \`--help\`; those that print a result take \`--json\`. Results go to standard output, everything else to
standard error. Errors are one message, without a stack trace unless \`--debug\` is given; what a command exits with is in
[exit codes](./exit-codes).

This page is generated from the program.
`

/** Markdown of the whole page. */
export function cliReference() {
  const sink = { write: () => true }
  const program = createProgram({ stdout: sink, stderr: sink, setExitCode() {}, onInterrupt: () => () => {} })
  const parts = [INTRO]
  const visit = (command, path) => {
    const helper = command.createHelp()
    const children = helper.visibleCommands(command).filter((child) => child.name() !== 'help')
    if (path !== '') parts.push(section(command, helper, path, children))
    for (const child of children) visit(child, path === '' ? child.name() : `${path} ${child.name()}`)
  }
  visit(program, '')
  return `${parts.join('\n')}`
}

function section(command, helper, path, children) {
  const level = path.includes(' ') ? '###' : '##'
  const lines = [`${level} spica ${path}`, '', sentence(command.description()), '']
  if (children.length > 0) return lines.join('\n')
  lines.push('```', `spica ${path} ${command.usage()}`.trim(), '```', '')
  const args = helper.visibleArguments(command)
  const options = helper.visibleOptions(command).filter((option) => option.long !== '--help')
  const rows = [
    ...args.map((argument) => [helper.argumentTerm(argument), helper.argumentDescription(argument)]),
    ...options.map((option) => [helper.optionTerm(option), helper.optionDescription(option)]),
  ]
  if (rows.length > 0)
    lines.push(
      '| flag | meaning |',
      '|---|---|',
      ...rows.map(([term, text]) => `| \`${term.replaceAll('|', '\\|')}\` | ${cell(text)} |`),
      '',
    )
  return lines.join('\n')
}

const cell = (text) =>
  text.replaceAll('|', '\\|').replaceAll('\n', ' ').replaceAll('<', '&lt;').replaceAll('{{', '&#123;&#123;')
const sentence = (text) =>
  `${text.charAt(0).toUpperCase()}${text.slice(1).replaceAll('\n', ' ').replaceAll('<', '&lt;')}.`
