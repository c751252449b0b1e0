/** Splits a stream of PPM pictures, as ffmpeg writes them, into frames. Each picture states its own size. */
import type { Raster } from '../../wasm/imaging/orientation.ts'

/** Pixels of a frame: 4K, and a little more. A frame has three bytes for each. */
export const MAX_FRAME_PIXELS = 4_096 * 2_304

/** The stream is no sequence of PPM pictures, or a picture is too large. */
export class BadFrame extends Error {
  override readonly name = 'BadFrame'
}

/** Longest header: `P6`, two numbers of five digits and `255`, each with a line feed or a space behind it. */
const HEADER_BYTES = 20

const HEADER = /^P6\n(\d{1,5}) (\d{1,5})\n255\n/

/**
 * Calls `onFrame` with each complete picture. Chunks may end anywhere. `spare` returns a picture whose memory the next one may take:
 * new memory for each picture keeps the garbage collector busy. The returned function throws BadFrame for bytes that are no PPM
 * picture, and before it reserves memory for a picture above MAX_FRAME_PIXELS.
 */
export function ppmParser(
  onFrame: (frame: Raster) => void,
  spare: () => Raster | undefined = () => undefined,
): (chunk: Uint8Array) => void {
  let head = ''
  let frame: Raster | undefined
  let filled = 0

  /** Reads header bytes from `at`. Returns the position behind them. */
  const readHeader = (chunk: Uint8Array, at: number) => {
    const before = head.length
    head += String.fromCharCode(...chunk.subarray(at, at + HEADER_BYTES - before))
    const found = HEADER.exec(head)
    if (!found) {
      if (head.length >= HEADER_BYTES || !'P6\n'.startsWith(head.slice(0, 3)))
        throw new BadFrame('the stream has a picture without a PPM header')
      return chunk.length
    }
    frame = emptyFrame(Number(found[1]), Number(found[2]), spare())
    filled = 0
    head = ''
    return at + found[0].length - before
  }

  return chunk => {
    for (let at = 0; at < chunk.length; ) {
      if (!frame) {
        at = readHeader(chunk, at)
        continue
      }
      const part = chunk.subarray(at, at + frame.data.length - filled)
      frame.data.set(part, filled)
      filled += part.length
      at += part.length
      if (filled < frame.data.length) continue
      const complete = frame
      frame = undefined
      onFrame(complete)
    }
  }
}

function emptyFrame(width: number, height: number, spare?: Raster): Raster {
  if (width === 0 || height === 0 || width * height > MAX_FRAME_PIXELS)
    throw new BadFrame(`the stream has a picture of ${width} x ${height} pixels`)
  const bytes = width * height * 3
  return { data: spare?.data.length === bytes ? spare.data : new Uint8Array(bytes), width, height }
}
