/** Writes ZIP files without compression, one file after the other (APPNOTE.TXT 6.3). For less than 4 GB and 65,536 files. */
import { crc32 } from 'node:zlib'

interface ZipWriter {
  /** The bytes of a file with this name, which is ASCII. */
  file(name: string, bytes: Uint8Array): Uint8Array[]
  /** The bytes after the last file: the directory. */
  end(): Uint8Array[]
}

/** Times of MS-DOS in UTC: two seconds are one. */
function dosTime(time: Date) {
  const day = ((time.getUTCFullYear() - 1980) << 9) | ((time.getUTCMonth() + 1) << 5) | time.getUTCDate()
  const second = (time.getUTCHours() << 11) | (time.getUTCMinutes() << 5) | (time.getUTCSeconds() >> 1)
  return day * 2 ** 16 + second
}

/** All files get this time, in Unix milliseconds. */
export function zipWriter(time: number): ZipWriter {
  const directory: Buffer[] = []
  let offset = 0
  const modified = dosTime(new Date(time))

  return {
    file(name, bytes) {
      // Fields that both headers have: version 2.0, no flags, stored, time, checksum, both sizes, length of the name.
      const common = Buffer.alloc(26)
      common.writeUInt16LE(20, 0)
      common.writeUInt32LE(modified, 6)
      common.writeUInt32LE(crc32(bytes), 10)
      common.writeUInt32LE(bytes.length, 14)
      common.writeUInt32LE(bytes.length, 18)
      common.writeUInt16LE(name.length, 22)
      const place = Buffer.alloc(14)
      place.writeUInt32LE(offset, 10)
      const title = Buffer.from(name, 'ascii')
      directory.push(Buffer.from('PK\x01\x02\x14\0', 'latin1'), common, place, title)
      const header = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, title])
      offset += header.length + bytes.length
      return [header, bytes]
    },

    end() {
      const entries = Buffer.concat(directory)
      const end = Buffer.alloc(18)
      end.writeUInt16LE(directory.length / 4, 4)
      end.writeUInt16LE(directory.length / 4, 6)
      end.writeUInt32LE(entries.length, 8)
      end.writeUInt32LE(offset, 12)
      return [entries, Buffer.from('PK\x05\x06', 'latin1'), end]
    },
  }
}
