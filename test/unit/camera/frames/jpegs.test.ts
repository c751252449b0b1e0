/** The pictures in a stream of ffmpeg's format `mpjpeg`, whatever its chunks are. */
import { jpegParser } from '#camera/frames/jpegs.ts'
import { BadFrame } from '#camera/frames/ppm.ts'
import { CAMERA_LIMITS } from '#contract/limits/cameras.ts'

const head = (bytes: number) =>
  Buffer.from(`--ffmpeg\r\nContent-type: image/jpeg\r\nContent-length: ${bytes}\r\n\r\n`)

const END = Buffer.from('\r\n')

describe('a stream of JPEG pictures', () => {
  it.each([1, 7, 64, 10_000])('gives the pictures of chunks of %i bytes', length => {
    const pictures = [3, 900, 1, 4_000].map((size, i) => new Uint8Array(size).fill(13 - i))
    const whole = Buffer.concat(pictures.flatMap(one => [head(one.length), one, END]))
    const found: Uint8Array[] = []
    const parse = jpegParser(jpeg => found.push(jpeg))
    for (let at = 0; at < whole.length; at += length) parse(whole.subarray(at, at + length))
    expect(found).toEqual(pictures)
  })

  it.each([
    ['a picture that is too large', head(CAMERA_LIMITS.liveBytes + 1)],
    ['no length', Buffer.from('--ffmpeg\r\n\r\n')],
    ['no head', Buffer.alloc(300, 7)],
  ])('is refused with %s', (_, bytes) => {
    expect(() => jpegParser(() => {})(bytes)).toThrow(BadFrame)
  })
})
