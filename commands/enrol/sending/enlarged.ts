/** Enlarges photos in which no face was found: small faces become large enough for detection. */
import sharp from 'sharp'
import { LIMITS } from '../../../contract/limits.ts'

const FACTOR = 2

/** Longest side of the result in pixels. Larger photos do not lack pixels. */
const LONGEST_SIDE = 4_096

/** The photo at twice its size, as JPEG; undefined if the result would be too large, or if the photo cannot be read. */
export async function enlarged(photo: Uint8Array): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    const image = sharp(photo, { limitInputPixels: (LONGEST_SIDE / FACTOR) ** 2 })
    const { width, height } = await image.metadata()
    if (FACTOR * Math.max(width, height) > LONGEST_SIDE) return undefined
    const larger = await image
      .autoOrient()
      .resize({ width: FACTOR * width, height: FACTOR * height, fit: 'fill' })
      .jpeg()
      .toBuffer()
    return larger.length > LIMITS.photoBytes ? undefined : new Uint8Array(larger)
  } catch {
    // sharp reads other files than the service does.
    return undefined
  }
}
