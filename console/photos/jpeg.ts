/** Photos that the browser encodes again as JPEG: formats that the service does not take, and pictures of videos. */
import { PHOTO_LIMITS } from '../../contract/limits/photos.ts'
import { TEXTS } from '../texts.ts'
import { isHeic } from './files.ts'
import type { Size } from './photo.ts'

/** Pixels of the longer side of an encoded photo, and the factor of a further attempt if the file is too large. */
export const LONGEST_SIDE = 4_096
const SHRINK_FACTOR = 0.75

/** Whether the service does not take the photo as it is. */
export const isRewritten = (file: File): boolean => file.size > PHOTO_LIMITS.bytes || isHeic(file)

/** One photo is decoded at a time: 100 million pixels take 400 MB. */
let turn: Promise<unknown> = Promise.resolve()

/** The photo, or a smaller JPEG of it, upright and without metadata. Rejects with a sentence for the visitor. */
export function acceptedPhoto(file: File): Promise<File> {
  if (!isRewritten(file)) return Promise.resolve(file)
  const rewritten = turn.then(() => rewrite(file))
  turn = rewritten.catch(() => undefined)
  return rewritten
}

async function rewrite(file: File): Promise<File> {
  const image = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => {
    throw isHeic(file) ? TEXTS.errors.heic : TEXTS.errors.unreadable(file.name)
  })
  try {
    const longest = Math.max(image.width, image.height)
    for (let side = Math.min(LONGEST_SIDE, longest); ; side *= SHRINK_FACTOR) {
      const size = { width: (image.width * side) / longest, height: (image.height * side) / longest }
      const jpeg = await jpegOf(image, size, file.name)
      if (jpeg.size <= PHOTO_LIMITS.bytes) return jpeg
    }
  } finally {
    image.close()
  }
}

/** The picture as JPEG of about this size in pixels. */
export async function jpegOf(image: CanvasImageSource, { width, height }: Size, name: string): Promise<File> {
  const canvas = new OffscreenCanvas(Math.max(1, Math.round(width)), Math.max(1, Math.round(height)))
  const context = canvas.getContext('2d')!
  context.imageSmoothingQuality = 'high'
  context.drawImage(image, 0, 0, canvas.width, canvas.height)
  const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.92 })
  return new File([blob], name, { type: blob.type })
}
