/** The frames in a stream of PPM pictures, whatever its chunks are. */
import fc from 'fast-check'
import { BadFrame, ppmParser } from '#camera/frames/ppm.ts'
import type { Raster } from '#wasm/imaging/orientation.ts'

const ppm = ({ width, height, data }: Raster) =>
  Buffer.concat([Buffer.from(`P6\n${width} ${height}\n255\n`), data])

const picture = (width: number, height: number, value: number): Raster => ({
  width,
  height,
  data: new Uint8Array(width * height * 3).fill(value),
})

/** The frames of these chunks. */
function parsed(chunks: readonly Uint8Array[]): Raster[] {
  const frames: Raster[] = []
  const parse = ppmParser(frame => frames.push(frame))
  for (const chunk of chunks) parse(chunk)
  return frames
}

describe('a stream of PPM pictures', () => {
  it('gives pictures of any size, with chunks that end anywhere', () => {
    const pictures = fc.array(
      fc.record({ width: fc.integer({ min: 1, max: 40 }), height: fc.integer({ min: 1, max: 40 }) }),
      { minLength: 1, maxLength: 5 },
    )
    fc.assert(
      fc.property(
        pictures,
        fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 1 }),
        (sizes, lengths) => {
          const expected = sizes.map(({ width, height }, i) => picture(width, height, i + 60))
          const whole = Buffer.concat(expected.map(ppm))
          const chunks: Uint8Array[] = []
          for (let at = 0, i = 0; at < whole.length; i++) {
            const length = lengths[i % lengths.length]!
            chunks.push(whole.subarray(at, at + length))
            at += length
          }
          expect(parsed(chunks)).toEqual(expected)
        },
      ),
    )
  })

  it.each([
    ['text', Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 20\r\n')],
    ['another kind of PPM', Buffer.from('P5\n4 4\n255\n0000000000000000')],
    ['no height', Buffer.from('P6\n4\n255\n0000000000000000')],
    ['a side of 0', Buffer.from('P6\n0 4\n255\n0000000000000000')],
    ['a size of more than 4K', Buffer.from('P6\n99999 99999\n255\n')],
  ])('is refused with %s', (_, bytes) => {
    expect(() => parsed([bytes])).toThrow(BadFrame)
    expect(() => parsed([...bytes].map(byte => Uint8Array.of(byte)))).toThrow(BadFrame)
  })
})
