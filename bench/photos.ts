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

/** A collage with `across` copies of a photo of three people along each side. */
export async function crowd(width: number, height: number, across: number): Promise<Sharp> {
  const [w, h] = [Math.floor(width / across), Math.floor(height / across)]
  const input = await sharp(await sample(1))
    .resize(w, h, { fit: 'fill' })
    .png({ compressionLevel: 1 })
    .toBuffer()
  const copies = Array.from({ length: across ** 2 }, (_, i) => ({
    input,
    left: (i % across) * w,
    top: Math.floor(i / across) * h,
  }))
  const sheet = sharp({ create: { width, height, channels: 3, background: 'grey' } }).composite(copies)
  return sharp(await sheet.png({ compressionLevel: 1 }).toBuffer())
}
