import { listHardware, listModels } from '@spica/catalog'
import { significant, textTable } from '../output/text-table.js'
import { type CommandRegistration, printJson } from './command.js'

export const registerCatalog: CommandRegistration = (program, environment) => {
  const catalog = program.command('catalog').description('show what is known about models and GPUs')
  catalog
    .command('models')
    .description('models by name')
    .option('--json', 'print every fact as JSON')
    .action((flags: { json?: true }) => {
      const models = listModels()
      if (flags.json === true) return printJson(environment, models)
      const rows = models.map((model) => [
        model.name,
        model.family,
        model.layers,
        model.moe === null ? null : model.moe.experts,
        model.contextLength,
        model.quantization.gemm,
      ])
      environment.stdout.write(textTable(['model', 'family', 'layers', 'experts', 'context', 'weights'], rows) + '\n')
    })
  catalog
    .command('hardware')
    .description('GPU types by SKU')
    .option('--json', 'print every figure as JSON')
    .action((flags: { json?: true }) => {
      const hardware = listHardware()
      if (flags.json === true) return printJson(environment, hardware)
      const rows = hardware.map(({ sku, gpu, node }) => [
        sku,
        significant(gpu.memoryCapacityBytes / 2 ** 30, 4),
        significant(gpu.memoryBandwidthBytesPerSecond / 1e12, 4),
        significant(gpu.bf16Flops / 1e12, 5),
        node.gpusPerNode,
      ])
      environment.stdout.write(textTable(['sku', 'GiB', 'TB/s', 'bf16 TFLOP/s', 'GPUs per node'], rows) + '\n')
    })
}
