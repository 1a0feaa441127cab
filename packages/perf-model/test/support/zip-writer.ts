import { deflateRawSync } from 'node:zlib'

/** A zip archive of files, deflated. Checksums are left at 0: the reader under test does not use them. */
export function zipOf(files: Readonly<Record<string, Uint8Array>>): Uint8Array {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, content] of Object.entries(files)) {
    const packed = deflateRawSync(content)
    const label = Buffer.from(name)
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(8, 8)
    local.writeUInt32LE(packed.length, 18)
    local.writeUInt32LE(content.length, 22)
    local.writeUInt16LE(label.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(8, 10)
    entry.writeUInt32LE(packed.length, 20)
    entry.writeUInt32LE(content.length, 24)
    entry.writeUInt16LE(label.length, 28)
    entry.writeUInt32LE(offset, 42)
    parts.push(local, label, packed)
    directory.push(entry, label)
    offset += local.length + label.length + packed.length
  }
  const listing = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Object.keys(files).length, 8)
  end.writeUInt16LE(Object.keys(files).length, 10)
  end.writeUInt32LE(listing.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, listing, end])
}

/** An NPY array of doubles. */
export function npyOf(values: readonly number[], shape: string): Uint8Array {
  const text = `{'descr': '<f8', 'fortran_order': False, 'shape': (${shape}), }`
  const header = text.padEnd(Math.ceil((text.length + 11) / 64) * 64 - 11) + '\n'
  const head = Buffer.alloc(10)
  head.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0])
  head.writeUInt16LE(header.length, 8)
  return Buffer.concat([head, Buffer.from(header, 'latin1'), Buffer.from(new Float64Array(values).buffer)])
}
