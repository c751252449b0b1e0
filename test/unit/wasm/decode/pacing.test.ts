/** Concurrent decodes: they announce their work, keep their pixels apart, and release their memory. */
import { deflateRawSync } from 'node:zlib'
import { pngChunk, writePng } from '#test/support/photos/png-writer.ts'
import type { Reservation } from '#wasm/decode/budget.ts'
import { decodeFile, encoded, portrait } from './samples.ts'

const turn = () => new Promise<void>(resolve => setTimeout(resolve))

const FILES = await encoded(
  () => portrait(310, 230),
  ['baseline JPEG', 'PNG', 'interlaced PNG', 'lossy WEBP', 'lossless WEBP'],
)

/** Upper bound of a piece of PNG decoding in microseconds. Several pieces fit between two pauses. */
const FINE_PIECE = 1_000

it('concurrent decodes with pauses return the same pixels as single ones', async () => {
  const files = Object.values(FILES)
  for (const scale of [1, 0.5]) {
    const alone = []
    for (const file of files) {
      const { raster, release } = await decodeFile(file, { scale })
      alone.push(raster.data.slice())
      release()
    }
    // Two of each file: each decoder is requested while it is in use.
    const paused = await Promise.all(
      [...files, ...files].map(file => decodeFile(file, { scale, pace: turn })),
    )
    for (const [i, { raster, release }] of paused.entries()) {
      expect(raster.data).toEqual(alone[i % files.length])
      release()
    }
  }
})

it('a PNG decode announces small pieces, in proportion to the size of the image', async () => {
  const piecesOf = async (width: number, height: number, interlaced: boolean) => {
    const work: number[] = []
    const file = await portrait(width, height).png({ progressive: interlaced }).toBuffer()
    const pace = async (microseconds: number) => void work.push(microseconds)
    ;(await decodeFile(file, { scale: 0.5, pace })).release()
    expect(Math.max(...work)).toBeLessThan(FINE_PIECE)
    return work.length
  }
  for (const interlaced of [false, true]) {
    expect(await piecesOf(450, 400, interlaced)).toBeGreaterThan(2 * (await piecesOf(300, 200, interlaced)))
  }
})

it('JPEG and WEBP decodes announce their work before they begin', async () => {
  for (const file of [FILES['baseline JPEG'], FILES['lossy WEBP']]) {
    const work: number[] = []
    const stop = new Error('no turn')
    const pace = async (microseconds: number) => {
      work.push(microseconds)
      throw stop
    }
    await expect(decodeFile(file, { pace })).rejects.toMatchObject({ cause: stop })
    expect(work[0]).toBeGreaterThan(0)
  }
})

it('a decode holds its reserved memory until its release or failure', async () => {
  const held = new Set<object>()
  const reserve = async (bytes: number): Promise<Reservation> => {
    const claim = { bytes }
    held.add(claim)
    return { total: bytes, release: () => void held.delete(claim) }
  }
  for (const file of Object.values(FILES)) {
    const photo = await decodeFile(file, { reserve })
    expect(held.size).toBe(1)
    photo.release()
    expect(held.size).toBe(0)
    const damaged = file.subarray(0, file.length / 3)
    await expect(decodeFile(damaged, { reserve })).toBeRefused('BAD_IMAGE')
    expect(held.size).toBe(0)
  }
})

it('a decode of a PNG with thousands of empty blocks pauses too', async () => {
  // Empty stored blocks that are not final, then the pixels.
  const empty = Buffer.from([0x00, 0x00, 0x00, 0xff, 0xff])
  const lines = deflateRawSync(Buffer.alloc(64 * (1 + 64 * 3)))
  const checksum = Buffer.alloc(4)
  const stream = Buffer.concat([Buffer.from([0x78, 0x9c]), ...Array(10_000).fill(empty), lines, checksum])
  const photo = writePng({ width: 64, height: 64, depth: 8, type: 2 }, [pngChunk('IDAT', stream)])
  let pieces = 0
  const pace = async () => void pieces++
  const { raster, release } = await decodeFile(photo, { pace })
  expect(raster.data.every(sample => sample === 0)).toBe(true)
  expect(pieces).toBeGreaterThan(10)
  release()
})
