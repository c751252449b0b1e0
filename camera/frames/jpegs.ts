/** Reads the pictures of a camera for viewers: small JPEG files, many a second, from a separate connection. */
import { CAMERA_LIMITS } from '../../contract/limits/cameras.ts'
import type { Turn } from '../tilt.ts'
import { BY_ARRIVAL, type ReadOptions, readOutput, SQUARE, TURN_FILTERS } from './ffmpeg.ts'
import { BadFrame } from './ppm.ts'

interface JpegOptions extends ReadOptions {
  rotate?: Turn
  onJpeg: (jpeg: Uint8Array<ArrayBuffer>) => void
}

/** Reads until the stream ends. Resolves as `readFrames`. */
export const readJpegs = (options: JpegOptions) =>
  readOutput(options, {
    // Several threads would hold back as many pictures.
    first: ['-threads', '1', '-fflags', 'nobuffer'],
    options: [
      '-map',
      '0:v:0',
      '-an',
      '-sn',
      '-dn',
      '-vf',
      [BY_ARRIVAL, FPS, SQUARE, ...TURN_FILTERS[options.rotate ?? 0], SHRINK_FILTER].join(),
      '-f',
      'mpjpeg',
      '-c:v',
      'mjpeg',
      '-threads',
      '1',
      '-q:v',
      String(JPEG_QSCALE),
      '-flush_packets',
      '1',
      'pipe:1',
    ],
    parser: onPicture =>
      jpegParser(jpeg => {
        onPicture()
        options.onJpeg(jpeg)
      }),
  })

const FPS = `fps=${CAMERA_LIMITS.liveFps}`

/** Quality of JPEG: 2, the best one, to 31. */
const JPEG_QSCALE = 6

const side = CAMERA_LIMITS.liveSide

/** Shrinks the longer side. */
const SHRINK_FILTER = `scale='if(gte(iw,ih),min(${side},iw),-2)':'if(gte(iw,ih),-2,min(${side},ih))'`

/** Longest head of a part: boundary and two headers. */
const HEAD_BYTES = 256

const LENGTH = /content-length: *(\d{1,7})\r\n/i

/**
 * Calls back with each complete picture of ffmpeg's format `mpjpeg`. Chunks may end anywhere. The returned function throws BadFrame
 * for other bytes, and before it reserves memory for a picture above CAMERA_LIMITS.liveBytes.
 */
export function jpegParser(onJpeg: (jpeg: Uint8Array<ArrayBuffer>) => void): (chunk: Uint8Array) => void {
  let head = ''
  let jpeg: Uint8Array<ArrayBuffer> | undefined
  let filled = 0
  return chunk => {
    for (let at = 0; at < chunk.length; ) {
      if (!jpeg) {
        head += String.fromCharCode(chunk[at++]!)
        if (head.length > HEAD_BYTES) throw new BadFrame('the stream has a part without its length')
        if (!head.endsWith('\r\n\r\n')) continue
        const bytes = Number(LENGTH.exec(head)?.[1])
        if (!(bytes <= CAMERA_LIMITS.liveBytes))
          throw new BadFrame('the stream has a picture that is too large')
        jpeg = new Uint8Array(bytes)
        filled = 0
        head = ''
      }
      const part = chunk.subarray(at, at + jpeg.length - filled)
      jpeg.set(part, filled)
      filled += part.length
      at += part.length
      if (filled < jpeg.length) continue
      const complete = jpeg
      jpeg = undefined
      onJpeg(complete)
    }
  }
}
