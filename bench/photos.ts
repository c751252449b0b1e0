/** Sample photos of benchmarks, made of the photos of an npm package. */
import sharp, { type Sharp } from 'sharp'
import { sample } from '#test/support/client.ts'

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
