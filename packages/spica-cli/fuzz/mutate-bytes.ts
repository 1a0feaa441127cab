import type { Dice } from './random.js'

/** Pieces that parsers tend to trip over. */
const HOSTILE: readonly string[] = [
  '\u0000',
  '\ufeff',
  '\r\n',
  '\r',
  '\n\n',
  '\t',
  ' ',
  ':',
  '"',
  "'",
  '{',
  '}',
  '[',
  ']',
  ',',
  '-',
  '#',
  '&a ',
  '*a',
  '<<: ',
  '!!js/function ',
  '%YAML 9.9\n',
  '---\n',
  '...\n',
  '? ',
  '| ',
  'null',
  'NaN',
  '.nan',
  '.inf',
  'Infinity',
  '-1',
  '0',
  '1e308',
  '1e-308',
  '9007199254740993',
  '18446744073709551616',
  '0x10',
  '1_000',
  '__proto__',
  'constructor',
  'toString',
  '\u2028',
  '\ud83d\ude00',
  '../../../etc/passwd',
]

/** `bytes` after one to six random edits, mostly one: bits, bytes, cuts, doubled parts, hostile pieces, numbers made extreme. */
export function mutateBytes(bytes: Uint8Array, dice: Dice): Uint8Array {
  let current = Buffer.from(bytes)
  for (let edits = dice.chance(0.6) ? 1 : 1 + dice.below(6); edits > 0; edits--) current = edit(current, dice)
  return current
}

function edit(bytes: Buffer, dice: Dice): Buffer<ArrayBuffer> {
  const at = dice.below(bytes.length + 1)
  const to = Math.min(bytes.length, at + 1 + dice.below(dice.chance(0.2) ? 200 : 8))
  const before = bytes.subarray(0, at)
  const after = bytes.subarray(to)
  switch (dice.below(8)) {
    case 0: {
      const copy = Buffer.from(bytes)
      if (at < copy.length) copy[at] = (copy[at] as number) ^ (1 << dice.below(8))
      return copy
    }
    case 1:
      return Buffer.concat([before, Buffer.from([dice.below(256)]), bytes.subarray(at)])
    case 2:
      return Buffer.concat([before, after])
    case 3:
      return Buffer.concat([before, bytes.subarray(at, to), bytes.subarray(at)])
    case 4:
      return Buffer.from(before)
    case 5:
      return swapLines(bytes, dice)
    case 6:
      return Buffer.from(replaceNumber(bytes, dice))
    default:
      return Buffer.concat([before, Buffer.from(dice.pick(HOSTILE)), dice.chance(0.5) ? after : bytes.subarray(at)])
  }
}

function swapLines(bytes: Buffer, dice: Dice): Buffer<ArrayBuffer> {
  const lines = bytes.toString('latin1').split('\n')
  const one = dice.below(lines.length)
  const other = dice.below(lines.length)
  const kept = lines[one] as string
  lines[one] = lines[other] as string
  lines[other] = kept
  return Buffer.from(lines.join('\n'), 'latin1')
}

const NUMBERS: readonly string[] = [
  '-1',
  '0',
  '1',
  '0.5',
  '1e9',
  '1e308',
  '-0',
  '3.7',
  '4294967296',
  '9007199254740993',
]

function replaceNumber(bytes: Buffer, dice: Dice): Buffer<ArrayBuffer> {
  const text = bytes.toString('latin1')
  const found = [...text.matchAll(/\d+(\.\d+)?/g)]
  if (found.length === 0) return Buffer.from(bytes)
  const { index, 0: number } = dice.pick(found)
  return Buffer.from(text.slice(0, index) + dice.pick(NUMBERS) + text.slice(index + number.length), 'latin1')
}
