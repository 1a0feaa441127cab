import { MAX_CONFIG_BYTES } from './document-limits.js'
import { unplaced } from './finding.js'
import { type ConfigResult, type ParseConfigOptions, parseConfigText, refuse, sizeIssue } from './parse-config-text.js'

/** `parseConfigText` for the bytes of a file, which must be UTF-8. More than 1 MiB is refused without decoding. */
export function parseConfigBytes(bytes: Uint8Array, options: ParseConfigOptions = {}): ConfigResult {
  if (bytes.byteLength > MAX_CONFIG_BYTES) return refuse([sizeIssue(bytes.byteLength, options.file)])
  const end = validUtf8Length(bytes)
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  if (end === bytes.length) return parseConfigText(decoder.decode(bytes), options)
  const before = decoder.decode(bytes.subarray(0, end))
  const line = before.split('\n').length
  const column = before.length - before.lastIndexOf('\n')
  const value = bytes[end]!.toString(16).padStart(2, '0')
  const issue = unplaced(
    {
      code: 'not-utf-8',
      path: [],
      message: `the file is not UTF-8 text: byte 0x${value} at offset ${end}`,
      hint: encodingHint(bytes),
    },
    options.file,
  )
  return refuse([{ ...issue, location: { ...issue.location, line, column } }])
}

function encodingHint(bytes: Uint8Array): string {
  const [first, second] = bytes
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    return 'it is UTF-16; save it as UTF-8'
  if (first === 0x1f && second === 0x8b) return 'it is gzip-compressed; unpack it'
  return 'save the file as UTF-8'
}

/** Bytes before the first ill-formed sequence. */
function validUtf8Length(bytes: Uint8Array): number {
  let at = 0
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at)
    if (length === 0) return at
    at += length
  }
  return at
}

/** Length of the well-formed sequence at `at`, or 0 (RFC 3629: no overlong forms, no surrogates). */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!
  if (first < 0x80) return 1
  if (first < 0xc2 || first > 0xf4) return 0
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
  for (let next = 1; next < length; next++) {
    const byte = bytes[at + next]
    if (byte === undefined || byte < 0x80 || byte > 0xbf) return 0
  }
  const second = bytes[at + 1]!
  if (first === 0xe0 && second < 0xa0) return 0
  if (first === 0xed && second > 0x9f) return 0
  if (first === 0xf0 && second < 0x90) return 0
  return first === 0xf4 && second > 0x8f ? 0 : length
}
