/** Writes PNGs from their chunks. */
import { crc32 } from 'node:zlib'

export function pngChunk(type: string, data: Uint8Array = new Uint8Array()): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, checksum])
}

interface PngSpec {
  width: number
  height: number
  depth: number
  /** Colour type. */
  type: number
}

/** The file with these chunks between IHDR and IEND. */
export function writePng({ width, height, depth, type }: PngSpec, chunks: readonly Buffer[]): Buffer {
  const head = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, depth, type, 0, 0, 0])
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  return Buffer.concat([signature, pngChunk('IHDR', head), ...chunks, pngChunk('IEND')])
}
