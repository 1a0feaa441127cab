/** A malformed or mistyped value inside one line. Column in bytes from 1. */
export class RowFault extends Error {
  readonly code: string
  readonly column: number
  readonly hint: string | undefined

  constructor(code: string, message: string, column: number, hint?: string) {
    super(message)
    this.code = code
    this.column = column
    this.hint = hint
  }
}

const QUOTE = 34
const BACKSLASH = 92
const TWO_32 = 0x100000000
/** Longest run of digits that a double holds exactly whatever they are. */
const EXACT_DIGITS = 15
const decoder: TextDecoder = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads JSON values straight from bytes, one line at a time, without building objects. Integers up to 2^64 − 1 are
 * available exactly as two 32-bit halves.
 */
export class JsonScanner {
  private bytes: Uint8Array = new Uint8Array(0)
  private start: number = 0
  private end: number = 0
  position: number = 0
  /** Halves of the integer that {@link unsigned64} read last. */
  low: number = 0
  high: number = 0

  reset(bytes: Uint8Array, start: number, end: number): void {
    this.bytes = bytes
    this.start = start
    this.position = start
    this.end = end
  }

  /** Next byte that is not white space, without taking it; −1 at the end of the line. */
  peek(): number {
    const { bytes, end } = this
    let position = this.position
    while (position < end) {
      const byte = bytes[position]!
      if (byte !== 32 && byte !== 9 && byte !== 13) {
        this.position = position
        return byte
      }
      position++
    }
    this.position = position
    return -1
  }

  /** Takes the given punctuation byte. */
  expect(byte: number): void {
    if (this.peek() !== byte) throw this.unexpected(`'${String.fromCharCode(byte)}'`)
    this.position++
  }

  /** Takes the byte if it comes next. */
  accept(byte: number): boolean {
    if (this.peek() !== byte) return false
    this.position++
    return true
  }

  /** Takes `null` if it comes next. */
  acceptNull(): boolean {
    if (this.peek() !== 110 || this.word() !== 'null') return false
    this.position += 4
    return true
  }

  /** A string with its escapes resolved. */
  string(): string {
    if (this.peek() !== QUOTE) throw this.unexpected('a string')
    const from = this.position
    this.skipString()
    const inner = this.bytes.subarray(from + 1, this.position - 1)
    let escaped = false
    let ascii = true
    for (const byte of inner) {
      if (byte === BACKSLASH) escaped = true
      if (byte > 127) ascii = false
    }
    try {
      if (escaped) return JSON.parse(decoder.decode(this.bytes.subarray(from, this.position))) as string
      if (ascii && inner.length < 64) return String.fromCharCode(...inner)
      return decoder.decode(inner)
    } catch {
      throw new RowFault('invalid-encoding', 'text is not UTF-8 or holds a bad escape', from - this.start + 1)
    }
  }

  /** A finite number. */
  number(): number {
    const first = this.peek()
    const { bytes, end } = this
    let position = this.position
    let value = 0
    if (first >= 48 && first <= 57) {
      while (position < end) {
        const digit = bytes[position]! - 48
        if (digit < 0 || digit > 9) break
        value = value * 10 + digit
        position++
      }
      const next = position < end ? bytes[position]! : 44
      const digits = position - this.position
      if (digits <= EXACT_DIGITS && next !== 46 && next !== 69 && next !== 101 && (first !== 48 || digits === 1)) {
        this.position = position
        return value
      }
    }
    return this.generalNumber()
  }

  /** An integer in [0, 2^64), left in `low` and `high`. */
  unsigned64(): void {
    const first = this.peek()
    const { bytes, end } = this
    let position = this.position
    let value = 0
    while (position < end) {
      const digit = bytes[position]! - 48
      if (digit < 0 || digit > 9) break
      value = value * 10 + digit
      position++
    }
    const digits = position - this.position
    const next = position < end ? bytes[position]! : 44
    if (digits > 0 && digits <= EXACT_DIGITS && next !== 46 && next !== 69 && next !== 101) {
      this.low = value >>> 0
      this.high = (value - this.low) / TWO_32
      this.position = position
      return
    }
    if (first === -1) throw this.unexpected('a hash id')
    this.longUnsigned64()
  }

  /** Passes over any value. */
  skipValue(): void {
    const byte = this.peek()
    if (byte === QUOTE) this.skipString()
    else if (byte === 123 || byte === 91) this.skipNested()
    else if (byte === 116 || byte === 102 || byte === 110) this.skipLiteral()
    else this.number()
  }

  /** A fault at the current position. */
  fault(code: string, message: string, hint?: string): RowFault {
    return new RowFault(code, message, this.position - this.start + 1, hint)
  }

  /** A syntax fault: the line ends too early, or something else stands where `wanted` should. */
  unexpected(wanted: string): RowFault {
    if (this.peek() === -1) {
      const hint = 'delete or complete the line, or convert with broken rows dropped'
      return this.fault('truncated-line', `the line ends where ${wanted} should follow`, hint)
    }
    const found = this.word()
    const literal = /^-?(NaN|Infinity)/.test(found)
    if (literal) return this.fault('not-a-finite-number', `${found} is not a JSON number`, 'give a finite number')
    return this.fault('invalid-json', `expected ${wanted}, found '${found.slice(0, 12)}'`)
  }

  private word(): string {
    const ending = /[\s,\]}:]/
    let text = ''
    for (let at = this.position; at < this.end && text.length < 24; at++) {
      const character = String.fromCharCode(this.bytes[at]!)
      if (text !== '' && ending.test(character)) break
      text += character
    }
    return text
  }

  private generalNumber(): number {
    const match = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?=[\s,\]}]|$)/.exec(this.text())
    if (match === null) throw this.unexpected('a number')
    const value = Number(match[0])
    if (!Number.isFinite(value)) throw this.fault('number-out-of-range', `${match[0]} is too large for a number`)
    this.position += match[0].length
    return value
  }

  private longUnsigned64(): void {
    const match = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/.exec(this.text())
    if (match === null) throw this.unexpected('a hash id')
    const whole = /^(\d+)(?:\.0+)?$/.exec(match[0])
    if (whole === null) {
      throw this.fault(
        'bad-hash-id',
        `hash id ${match[0]} is not a whole number ≥ 0`,
        'hash ids are integers from 0 to 2^64 − 1',
      )
    }
    const value = BigInt(whole[1]!)
    if (value >> 64n !== 0n) {
      throw this.fault(
        'hash-id-overflow',
        `hash id ${match[0]} does not fit 64 bits`,
        'hash ids are integers from 0 to 2^64 − 1',
      )
    }
    this.low = Number(value & 0xffffffffn)
    this.high = Number(value >> 32n)
    this.position += match[0].length
  }

  private text(): string {
    return String.fromCharCode(...this.bytes.subarray(this.position, Math.min(this.end, this.position + 400)))
  }

  private skipString(): void {
    const { bytes, end } = this
    let position = this.position + 1
    while (position < end) {
      const byte = bytes[position]!
      if (byte === QUOTE) {
        this.position = position + 1
        return
      }
      position += byte === BACKSLASH ? 2 : 1
    }
    this.position = end
    throw this.unexpected('a closing quote')
  }

  private skipNested(): void {
    let depth = 0
    do {
      const byte = this.peek()
      if (byte === -1) throw this.unexpected("']' or '}'")
      if (byte === QUOTE) this.skipString()
      else {
        if (byte === 123 || byte === 91) depth++
        else if (byte === 125 || byte === 93) depth--
        this.position++
      }
    } while (depth > 0)
  }

  private skipLiteral(): void {
    const word = this.word()
    if (word !== 'true' && word !== 'false' && word !== 'null') throw this.unexpected('a value')
    this.position += word.length
  }
}
