import { configJsonSchema } from '@spica/schema'
import { type CommandRegistration, printJson } from './command.js'

export const registerSchema: CommandRegistration = (program, environment) => {
  program
    .command('schema')
    .description('print the JSON Schema of a sweep config, for editors')
    .option('--json', 'the schema is JSON anyway')
    .action(() => printJson(environment, configJsonSchema()))
}
