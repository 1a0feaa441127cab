import { SpicaError } from '@spica/schema'
import { parquetMetadata, parquetRead } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { type PerfRows, packRows, type RawColumn } from '../table/perf-rows.js'

/** Columns that any lookup uses; everything else in a file stays unread. */
const USED_COLUMNS: ReadonlySet<string> = new Set([
  'op_name',
  'kernel_source',
  'gemm_dtype',
  'attn_dtype',
  'kv_cache_dtype',
  'mla_dtype',
  'gemm_type',
  'bmm_dtype',
  'moe_dtype',
  'nccl_dtype',
  'architecture',
  'distribution',
  'm',
  'n',
  'k',
  'batch_size',
  'isl',
  'step',
  'num_heads',
  'num_key_value_heads',
  'head_dim',
  'window_size',
  'num_tokens',
  'hidden_size',
  'inter_size',
  'topk',
  'num_experts',
  'moe_tp_size',
  'moe_ep_size',
  'num_gpus',
  'message_size',
  'latency',
])

/**
 * Decodes one table. The file must be parquet, have a numeric `latency` column, positive and finite throughout.
 *
 * @throws SpicaError `perf-table-unreadable` naming the file and what is wrong with it.
 */
export async function readParquetTable(name: string, bytes: Uint8Array): Promise<PerfRows> {
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer
  try {
    const metadata = parquetMetadata(file)
    const present = metadata.schema.slice(1).map((element) => element.name)
    if (!present.includes('latency'))
      throw new Error(`it has no latency column, only ${present.slice(0, 6).join(', ')}`)
    const columns = present.filter((column) => USED_COLUMNS.has(column))
    const length = Number(metadata.num_rows)
    const values = await readColumns(file, columns, length)
    const rows = packRows(length, values)
    checkLatency(rows)
    return rows
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new SpicaError('environment', 'perf-table-unreadable', `${name} is not a readable table: ${reason}`, {
      hint: 'the file is truncated or foreign; restore it from the database it came from',
      location: { file: name },
      cause,
    })
  }
}

async function readColumns(
  file: ArrayBuffer,
  columns: readonly string[],
  length: number,
): Promise<Readonly<Record<string, RawColumn>>> {
  const values: Record<string, RawColumn> = {}
  await parquetRead({
    file,
    columns: [...columns],
    compressors,
    onChunk: ({ columnName, columnData, rowStart, rowEnd }) => {
      if (rowStart === 0 && rowEnd === length) {
        values[columnName] = columnData
        return
      }
      const whole = (values[columnName] ??= new Array<unknown>(length)) as unknown[]
      for (let row = rowStart; row < rowEnd; row++) whole[row] = columnData[row - rowStart]
    },
  })
  return values
}

function checkLatency(rows: PerfRows): void {
  const latency = rows.numbers['latency']
  if (latency === undefined) throw new Error('its latency column is not numeric')
  for (let row = 0; row < latency.length; row++) {
    const ms = latency[row]!
    if (!(ms > 0) || ms === Number.POSITIVE_INFINITY) throw new Error(`row ${row + 1} has a latency of ${ms}`)
  }
}
