import { Lexer } from 'yaml'
import type { Finding } from './finding.js'

/** Bytes (or characters) of a config file beyond which it is refused unread. */
export const MAX_CONFIG_BYTES: number = 1_048_576
/** Nested collections a config may have. */
export const MAX_NESTING: number = 40
/** Values a config may have once aliases are expanded. */
export const MAX_NODES: number = 20_000
const MAX_LEXEMES = 100_000

export interface OffsetFinding extends Finding {
  readonly offset: number
}

/** What would make parsing slow: too much text, too many parts, brackets or dashes nested too deep. */
export function exceededLimit(text: string): OffsetFinding | undefined {
  const refuse = (offset: number, code: string, message: string) => ({ code, path: [], message, offset })
  let lexemes = 0
  let offset = 0
  let open = 0
  let dashes = 0
  for (const lexeme of new Lexer().lex(text)) {
    if (++lexemes > MAX_LEXEMES)
      return refuse(offset, 'too-large', `the document has more than ${MAX_LEXEMES} parts, too many for a config`)
    if (lexeme === '[' || lexeme === '{') open++
    else if (lexeme === ']' || lexeme === '}') open--
    else if (lexeme === '-' || lexeme === '?') dashes++
    else if (lexeme === '\n' || lexeme === '\r\n') dashes = 0
    if (open > MAX_NESTING || dashes > MAX_NESTING) {
      return refuse(offset, 'too-deep', `the document is nested more than ${MAX_NESTING} levels deep`)
    }
    offset += isMark(lexeme) ? 0 : lexeme.length
  }
  return undefined
}

/** The lexer's own marks, which stand for no characters: document, flow end, scalar and byte order. */
function isMark(lexeme: string): boolean {
  return lexeme === '\x02' || lexeme === '\x18' || lexeme === '\x1f'
}
