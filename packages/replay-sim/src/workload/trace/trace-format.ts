/** Layouts that can be read. `auto` looks at the first row. */
export const TRACE_FORMATS = [
  'mooncake',
  'mooncake-delta',
  'agentic_mooncake',
  'azure',
  'burstgpt',
  'vidur',
  'weka',
] as const

export type TraceFormat = (typeof TRACE_FORMATS)[number]

/** Formats the reference simulator also knows but whose layout is not public. */
export const UNSUPPORTED_FORMATS: readonly string[] = ['applied_compute_agentic', 'dynamo']

/** How a trace file is to be read. */
export interface ReadOptions {
  /** Default `auto`. */
  readonly format?: TraceFormat | 'auto'
  /** Tokens per hash id; default 512, Weka 64. */
  readonly traceBlockSize?: number
  /** Unit of `timestamp` and `delay` in JSONL rows; default `ms`. */
  readonly timestampUnit?: 'ms' | 's'
  /** Names the file uses for our columns, e.g. `{input_length: 'prompt_tokens'}`. */
  readonly columns?: Readonly<Record<string, string>>
  /** Leave out rows that cannot be read (reported as warnings) instead of refusing the file. Default false. */
  readonly dropBrokenRows?: boolean
}
