/** Checks SQLite's journal before SQLite reads it. SQLite silently drops everything after a damaged byte. */
import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs'
import { endianness } from 'node:os'

/** Format: https://sqlite.org/fileformat2.html#walformat. All numbers are big-endian, except the words of the checksum. */
const HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
const MAGIC = 0x377f0682

/** Bytes of the headers that the checksums cover. */
const SUMMED_HEADER = 24
const SUMMED_FRAME_HEADER = 8

/**
 * Fault of the journal at this path. `damaged`: acknowledged transactions are lost. `cut`: the last transaction is
 * incomplete, as after a crash before its acknowledgement; damage to the last page looks the same.
 */
export function journalFault(path: string): 'damaged' | 'cut' | undefined {
  if (!existsSync(path)) return undefined
  const file = openSync(path, 'r')
  try {
    return walFault(file, fstatSync(file).size)
  } finally {
    closeSync(file)
  }
}

function walFault(file: number, size: number): 'damaged' | 'cut' | undefined {
  if (size < HEADER_BYTES) return undefined
  const header = bytesAt(file, 0, HEADER_BYTES)
  const summed = checksums(header)
  if (!summed) return 'damaged'
  summed.add(header.subarray(0, SUMMED_HEADER))
  if (!summed.equal(header, SUMMED_HEADER)) return 'damaged'

  const frame = FRAME_HEADER_BYTES + header.readUInt32BE(8)
  const frames = Math.floor((size - HEADER_BYTES) / frame)
  const read = (number: number) => bytesAt(file, HEADER_BYTES + number * frame, frame)
  let number = 0
  for (; number < frames; number++) {
    const bytes = read(number)
    if (!sameSalts(bytes, header, both)) break
    summed.add(bytes.subarray(0, SUMMED_FRAME_HEADER))
    summed.add(bytes.subarray(FRAME_HEADER_BYTES))
    if (!summed.equal(bytes, 16)) break
  }
  if (number === frames) return undefined
  // Frames of an earlier journal may follow the last whole frame: both of their salts differ.
  for (let later = number + 1; later < frames; later++) {
    if (sameSalts(read(later), header, either)) return 'damaged'
  }
  const broken = read(number)
  if (sameSalts(broken, header, both)) return 'cut'
  return sameSalts(broken, header, either) ? 'damaged' : undefined
}

const both = (first: boolean, second: boolean) => first && second
const either = (first: boolean, second: boolean) => first || second

const sameSalts = (frame: Buffer, header: Buffer, how: typeof both) =>
  how(frame.readUInt32BE(8) === header.readUInt32BE(16), frame.readUInt32BE(12) === header.readUInt32BE(20))

function bytesAt(file: number, from: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  readSync(file, bytes, 0, length, from)
  return bytes
}

/** Running checksum of a journal; undefined when the header does not state its byte order. */
function checksums(header: Buffer) {
  const magic = header.readUInt32BE(0)
  if (magic !== MAGIC && magic !== MAGIC + 1) return undefined
  const order = magic === MAGIC ? 'LE' : 'BE'
  let first = 0
  let second = 0
  return {
    add(bytes: Buffer) {
      const copy = Buffer.from(bytes)
      if (endianness() !== order) copy.swap32()
      const words = new Uint32Array(copy.buffer, copy.byteOffset, copy.length / 4)
      for (let i = 0; i < words.length; i += 2) {
        first = (first + words[i]! + second) >>> 0
        second = (second + words[i + 1]! + first) >>> 0
      }
    },
    equal: (bytes: Buffer, at: number) =>
      bytes.readUInt32BE(at) === first && bytes.readUInt32BE(at + 4) === second,
  }
}
