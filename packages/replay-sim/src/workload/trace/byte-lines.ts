const NEWLINE = 10
const CARRIAGE_RETURN = 13
/** A line longer than this is a defect of the file, not a request. */
const LONGEST_LINE_BYTES = 256 * 1024 * 1024

/** Bytes of a trace: all at once, or in pieces of any size. */
export type TraceBytes = Uint8Array | Iterable<Uint8Array>

/** Receives each line without its line end. `bytes` is only valid during the call. */
export interface LineSink {
  /** `terminated` is false for a last line that the file does not end with a newline. */
  line(bytes: Uint8Array, start: number, end: number, lineNumber: number, crlf: boolean, terminated: boolean): void
}

/** Cuts bytes into lines, in place where a line lies inside one piece. Returns the number of lines. */
export function forEachLine(source: TraceBytes, sink: LineSink): number {
  const pieces = source instanceof Uint8Array ? [source] : source
  let lineNumber = 0
  let carried: Uint8Array[] = []
  let carriedBytes = 0
  for (const piece of pieces) {
    let position = 0
    for (;;) {
      const newline = piece.indexOf(NEWLINE, position)
      if (newline === -1) break
      if (carriedBytes > 0) {
        carried.push(piece.subarray(position, newline))
        const whole = join(carried)
        emit(sink, whole, 0, whole.length, ++lineNumber, true)
        carried = []
        carriedBytes = 0
      } else emit(sink, piece, position, newline, ++lineNumber, true)
      position = newline + 1
    }
    if (position < piece.length) {
      carriedBytes += piece.length - position
      if (carriedBytes > LONGEST_LINE_BYTES) {
        carriedBytes = LONGEST_LINE_BYTES
        continue
      }
      carried.push(source instanceof Uint8Array ? piece.subarray(position) : piece.slice(position))
    }
  }
  if (carriedBytes > 0) {
    const whole = join(carried)
    emit(sink, whole, 0, whole.length, ++lineNumber, false)
  }
  return lineNumber
}

function emit(sink: LineSink, bytes: Uint8Array, start: number, end: number, line: number, terminated: boolean): void {
  const crlf = end > start && bytes[end - 1] === CARRIAGE_RETURN
  sink.line(bytes, start, crlf ? end - 1 : end, line, crlf, terminated)
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1) return parts[0]!
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let offset = 0
  for (const part of parts) {
    whole.set(part, offset)
    offset += part.length
  }
  return whole
}
