/** From pixels to picture files: what a thumbnail and a normalized face are on the disk. */
import sharp from 'sharp'

/** 8-bit RGB, rows from the top. */
export interface Pixels {
  data: Uint8Array
  width: number
  height: number
}

/** Good enough to tell who it is, small enough for a page with a hundred of them. */
const THUMBNAIL_QUALITY = 85

const rgb = ({ data, width, height }: Pixels) => sharp(data, { raw: { width, height, channels: 3 } })

export const thumbnailJpeg = (pixels: Pixels): Promise<Buffer> =>
  rgb(pixels).jpeg({ quality: THUMBNAIL_QUALITY }).toBuffer()

/** Lossless: another model will read it back when a gallery is embedded anew. */
export const normalizedPng = (pixels: Pixels): Promise<Buffer> => rgb(pixels).png().toBuffer()
