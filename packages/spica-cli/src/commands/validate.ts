import { isAbsolute, resolve } from 'node:path'
import { loadHardware, loadModel } from '@spica/catalog/node'
import { type ConfigIssue, filterScalingPolicies, formatIssue, SpicaConfigError, SpicaError } from '@spica/schema'
import { EXIT } from '../exit-codes.js'
import { loadConfigFile } from '../inputs/load-config-file.js'
import { isReadableFile } from '../io/read-input.js'
import { type CommandRegistration, printJson } from './command.js'

export const registerValidate: CommandRegistration = (program, environment) => {
  program
    .command('validate')
    .description('check a config strictly and report every mistake at once')
    .argument('<file>', 'sweep config, YAML')
    .option('--json', 'print the result as JSON')
    .action((file: string, flags: { json?: true }) => {
      const { issues, warnings } = examine(file)
      if (flags.json === true) printJson(environment, { valid: issues.length === 0, issues, warnings })
      else {
        for (const warning of warnings) environment.stderr.write(`warning: ${formatIssue(warning)}\n`)
        for (const issue of issues) environment.stderr.write(`${formatIssue(issue)}\n`)
        if (issues.length === 0) environment.stdout.write(`${file}: valid\n`)
      }
      environment.setExitCode(issues.length === 0 ? EXIT.success : EXIT.input)
    })
}

/** Mistakes of the text, and, when there are none, of what it names: model, GPU, trace, policies. */
export function examine(file: string): { issues: readonly ConfigIssue[]; warnings: readonly ConfigIssue[] } {
  try {
    const { config, folder, warnings } = loadConfigFile(file)
    const issues: ConfigIssue[] = []
    const check = (path: string, work: () => void) => {
      try {
        work()
      } catch (error) {
        issues.push(...issuesOf(error, file, path))
      }
    }
    check('search_space.model_name', () => loadModel(config.search_space.model_name, { baseDir: folder }))
    check('search_space.hardware_sku', () => loadHardware(config.search_space.hardware_sku, { baseDir: folder }))
    const trace = config.workload.trace_path
    if (trace !== null) {
      const path = isAbsolute(trace) ? trace : resolve(folder, trace)
      if (!isReadableFile(path))
        issues.push({
          code: 'unreadable-file',
          message: `there is no readable file ${path}`,
          location: { file, path: 'workload.trace_path' },
          hint: 'relative paths start from the folder of the config',
        })
    }
    if (filterScalingPolicies(config.search_space.planner_scaling_policy, config.goal).kept.length === 0)
      issues.push({
        code: 'no-policy-left',
        message: 'the goal can steer none of these policies',
        location: { file, path: 'search_space.planner_scaling_policy' },
        hint: 'add disabled',
      })
    return { issues, warnings }
  } catch (error) {
    if (error instanceof SpicaConfigError) return { issues: error.issues, warnings: [] }
    throw error
  }
}

function issuesOf(error: unknown, file: string, path: string): readonly ConfigIssue[] {
  if (error instanceof SpicaConfigError) return error.issues
  if (!(error instanceof SpicaError)) throw error
  const { code, message, hint } = error
  return [{ code, message, location: { file, path }, ...(hint === undefined ? {} : { hint }) }]
}
