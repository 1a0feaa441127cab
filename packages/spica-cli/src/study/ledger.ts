import { closeSync, constants, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import { SpicaError } from '@spica/schema'
import { unwritable } from '../io/atomic-write.js'
import { type TrialRecord, trialRecordSchema } from './trial-record.js'

/** Append-only journal of finished trials, one fsynced line each. */
export interface Ledger {
  /** Trials found when it was opened, in file order. */
  readonly found: readonly TrialRecord[]
  append(record: TrialRecord): void
  close(): void
}

/** A ledger that keeps nothing, for sweeps without an output folder. */
export function createVolatileLedger(): Ledger {
  return { found: [], append: () => {}, close: () => {} }
}

/**
 * Opens `path`, making it when it is missing. A torn last line (a crash in mid-write) is dropped and cut off, so that the
 * next line starts clean; any other line that is no trial, and a last line that is whole JSON but no trial, is an `input`
 * error with its line number. With `fresh`, what the
 * file held is discarded.
 */
export function openLedger(path: string, options: { readonly fresh: boolean }): Ledger {
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW | (options.fresh ? constants.O_TRUNC : 0)
  let file: number
  try {
    file = openSync(path, flags, 0o644)
  } catch (error) {
    throw unwritable(path, error)
  }
  let records: TrialRecord[]
  let validBytes: number
  try {
    ;({ records, validBytes } = parseLedger(path, readFileSync(file)))
    ftruncateSync(file, validBytes)
  } catch (error) {
    closeSync(file)
    throw error
  }
  let offset = validBytes
  return {
    found: records,
    append(record) {
      const bytes = Buffer.from(JSON.stringify(record) + '\n', 'utf8')
      try {
        for (let done = 0; done < bytes.length; )
          done += writeSync(file, bytes, done, bytes.length - done, offset + done)
        fsyncSync(file)
      } catch (error) {
        throw unwritable(path, error)
      }
      offset += bytes.length
    },
    close: () => closeSync(file),
  }
}

/** Trials of a ledger's bytes, and how many of the bytes are whole lines. */
export function parseLedger(path: string, bytes: Uint8Array): { records: TrialRecord[]; validBytes: number } {
  const records: TrialRecord[] = []
  let start = 0
  for (let line = 1; start < bytes.length; line++) {
    const end = bytes.indexOf(0x0a, start)
    if (end === -1) break
    const record = parseLine(Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8'))
    if (record === 'no JSON' && end === bytes.length - 1) break
    if (typeof record === 'string') {
      throw new SpicaError('input', 'broken-ledger', `${path}:${line}: this line is not a finished trial`, {
        hint: 'restore the file, or start the sweep again in another folder',
        location: { file: path, line },
      })
    }
    records.push(record)
    start = end + 1
  }
  return { records, validBytes: start }
}

function parseLine(text: string): TrialRecord | 'no JSON' | 'no trial' {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return 'no JSON'
  }
  const parsed = trialRecordSchema.safeParse(json)
  return parsed.success ? parsed.data : 'no trial'
}
