/** Sample photos of benchmarks, made of the photos of an npm package. */
import sharp, { type Sharp } from 'sharp'
import { sample } from './harness/client.ts'

/** A portrait of one person with head and shoulders, as a square. */
export const portrait = async (): Promise<Sharp> =>
  sharp(
    await sharp(await sample(1))
      .extract({ left: 1266, top: 43, width: 600, height: 600 })
      .png({ compressionLevel: 1 })
      .toBuffer(),
  )

/** Four people on a photo of this size. */
export const group = async (width: number, height: number): Promise<Sharp> =>
  sharp(await sample(6)).resize(width, height, { fit: 'fill' })

/** Pixels of the side of each square of a crowd. */
const SQUARE = 100

/** A photo with so many faces in rows, and their boxes. */
export async function crowd(faces: number) {
  const columns = Math.ceil(Math.sqrt(faces))
  const face = await (await portrait())
    .extract({ left: 166, top: 142, width: 290, height: 290 })
    .resize(SQUARE)
    .toBuffer()
  const places = Array.from({ length: faces }, (_, i) => ({
    left: (i % columns) * SQUARE,
    top: Math.floor(i / columns) * SQUARE,
  }))
  const [width, height] = [columns * SQUARE, Math.ceil(faces / columns) * SQUARE]
  const photo = sharp({ create: { width, height, channels: 3, background: '#888' } })
    .composite(places.map(place => ({ ...place, input: face })))
    .jpeg({ quality: 90 })
  return {
    bytes: new Uint8Array(await photo.toBuffer()),
    boxes: places.map(({ left, top }) => ({ x1: left + 20, y1: top + 20, x2: left + 80, y2: top + 80 })),
  }
}
