/** Truncated files: each gives a photo or BAD_IMAGE. */
import { decodeFile, difference, encode, portrait, seenBySharp } from '#test/unit/wasm/decode/samples.ts'

const NAMES = [
  'baseline JPEG',
  'progressive JPEG',
  'CMYK JPEG',
  'PNG',
  'interlaced PNG',
  'palette PNG',
  'lossy WEBP',
  'lossy WEBP with transparency',
  'lossless WEBP',
] as const
const FILES = await encode(() => portrait(96, 80), NAMES)

/** The outcome of decoding these bytes; any other outcome fails the test. */
async function outcome(bytes: Uint8Array): Promise<'photo' | 'BAD_IMAGE'> {
  try {
    const { raster, release } = await decodeFile(bytes)
    expect(raster.data.length).toBe(raster.width * raster.height * 3)
    release()
    return 'photo'
  } catch (error) {
    expect(error).toMatchObject({ name: 'ServiceError', code: 'BAD_IMAGE' })
    return 'BAD_IMAGE'
  }
}

/** The first `share` of the file's bytes. */
const cut = (bytes: Uint8Array, share: number) => bytes.subarray(0, Math.floor(bytes.length * share))

describe('decode of a truncated file', () => {
  it.each(NAMES)('%s: refuses the first third', async name => {
    for (let share = 0.01; share < 0.34; share += 0.04) {
      expect(await outcome(cut(FILES[name], share)), `${share}`).toBe('BAD_IMAGE')
    }
  })

  it.each(['baseline JPEG', 'progressive JPEG', 'CMYK JPEG'] as const)(
    '%s: accepts a file with little missing',
    async name => {
      for (const share of [0.9, 0.95, 0.98, 0.999])
        expect(await outcome(cut(FILES[name], share))).toBe('photo')
    },
  )

  it('baseline JPEG: decodes the present part correctly and fills the rest with grey', async () => {
    const whole = await seenBySharp(FILES['baseline JPEG'])
    const { raster, release } = await decodeFile(cut(FILES['baseline JPEG'], 0.8))
    const upper = raster.width * 48 * 3
    expect(difference(raster.data.subarray(0, upper), whole.subarray(0, upper))).toBeLessThan(2)
    expect([...raster.data.subarray(-3)]).toEqual([128, 128, 128])
    release()
  })

  it('progressive JPEG: refuses a file with only the first scans', async () => {
    const bytes = FILES['progressive JPEG']
    const scans = positions(bytes, Uint8Array.of(0xff, 0xda))
    // libjpeg's script: luminance comes in scans 2 (frequencies 1-5) and 5 (6-63), at half precision.
    expect(await outcome(bytes.subarray(0, scans[4]))).toBe('BAD_IMAGE')
    expect(await outcome(bytes.subarray(0, scans[6]))).toBe('photo')
  })

  it.each(['lossy WEBP', 'lossless WEBP', 'interlaced PNG'] as const)(
    '%s: refuses an incomplete file',
    async name => {
      for (const share of [0.5, 0.9]) expect(await outcome(cut(FILES[name], share))).toBe('BAD_IMAGE')
    },
  )
})

function positions(bytes: Buffer, what: Uint8Array) {
  const found: number[] = []
  for (let at = bytes.indexOf(what); at >= 0; at = bytes.indexOf(what, at + 1)) found.push(at)
  return found
}
