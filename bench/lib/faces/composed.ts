/** Composes photos from portraits: one person near, another far, and a blurred picture of a third as background. */
import sharp, { type OverlayOptions } from 'sharp'
import { type Box, overlap, shorterSide } from '#contract/model/bbox.ts'
import type { Size } from '#wasm/detectors/detection.ts'
import { centreOf } from '#wasm/imaging/geometry.ts'
import type { Portrait } from './portraits.ts'

/** A JPEG, and the boxes of the two faces. */
export interface Composed {
  readonly bytes: Uint8Array
  readonly near: Box
  readonly far: Box
}

/** The portraits of the near person, the far person and the background. */
export type Scene = readonly [near: Portrait, far: Portrait, behind: Portrait]

/** Shorter side of the near face's box, and maximum for the far face, as fractions of the photo's height. */
const NEAR = 0.35
const FAR = 0.3

/** Centres of the near and far face, as fractions of the photo's width and height. */
const NEAR_AT = { x: 0.33, y: 0.55 }
const FAR_AT = { x: 0.82, y: 0.3 }

/** Size in pixels of the background picture before enlargement: it keeps colours and shapes, but no face. */
const BLURRED = 10

const ENOUGH_OVERLAP = 0.35

/** Minimum overlap of a reported face with a person's face to belong to that person, unless it lies within the face. */
const LEAST_OVERLAP = 0.1

/** True if a face with this shorter side is small enough for the background of a photo of this size. */
export const fitsBehind = (side: number, { height }: Size): boolean => side <= FAR * height

/** The scene on a photo of this size. The shorter side of the far face's box has `side` pixels. */
export async function composed([near, far, behind]: Scene, size: Size, side: number): Promise<Composed> {
  const nearer = await layer(near, NEAR * size.height, NEAR_AT, size)
  const farther = await layer(far, side, FAR_AT, size)
  const tiny = await sharp(behind.bytes).resize(BLURRED, BLURRED, { fit: 'fill' }).png().toBuffer()
  const bytes = await sharp(tiny)
    .resize(size.width, size.height, { fit: 'fill' })
    .composite([nearer.overlay, farther.overlay])
    .jpeg({ quality: 90 })
    .toBuffer()
  return { bytes, near: nearer.face, far: farther.face }
}

/**
 * The portrait with soft edges, scaled to this face size and cut at the photo's edges, with the position of its face.
 */
async function layer(
  { bytes, size, face }: Portrait,
  side: number,
  at: { readonly x: number; readonly y: number },
  photo: Size,
): Promise<{ overlay: OverlayOptions; face: Box }> {
  const scale = side / shorterSide(face)
  const centre = centreOf(face)
  const whole = { width: Math.round(size.width * scale), height: Math.round(size.height * scale) }
  const left = Math.round(at.x * photo.width - scale * centre.x)
  const top = Math.round(at.y * photo.height - scale * centre.y)
  const [x, y] = [Math.max(0, left), Math.max(0, top)]
  const soft = await sharp(bytes)
    .autoOrient()
    .resize(whole.width, whole.height, { fit: 'fill' })
    .composite([{ input: vignette(whole), blend: 'dest-in' }])
    .raw()
    .toBuffer()
  const part = {
    width: Math.min(left + whole.width, photo.width) - x,
    height: Math.min(top + whole.height, photo.height) - y,
  }
  const shown = await sharp(soft, { raw: { ...whole, channels: 4 } })
    .extract({ left: x - left, top: y - top, ...part })
    .raw()
    .toBuffer()
  return {
    overlay: { input: shown, raw: { ...part, channels: 4 }, left: x, top: y },
    face: {
      x1: left + face.x1 * scale,
      y1: top + face.y1 * scale,
      x2: left + face.x2 * scale,
      y2: top + face.y2 * scale,
    },
  }
}

/** An opacity mask: opaque in the middle, transparent at an ellipse that touches the edges. */
const vignette = ({ width, height }: Size): Buffer =>
  Buffer.from(`<svg width="${width}" height="${height}">
    <radialGradient id="g"><stop offset="0.8"/><stop offset="1" stop-opacity="0"/></radialGradient>
    <rect width="100%" height="100%" fill="url(#g)"/></svg>`)

/** True or false for each: near face found, far face found, and a reported face that belongs to neither. */
export function judged(reported: readonly Box[], { near, far }: Composed) {
  const isFound = (person: Box) => reported.some(face => overlap(face, person) >= ENOUGH_OVERLAP)
  const isOf = (face: Box, person: Box) => overlap(face, person) >= LEAST_OVERLAP || isWithin(face, person)
  return {
    found: isFound(far),
    large: isFound(near),
    others: reported.some(face => !isOf(face, near) && !isOf(face, far)),
  }
}

const isWithin = (inner: Box, outer: Box): boolean =>
  inner.x1 >= outer.x1 && inner.y1 >= outer.y1 && inner.x2 <= outer.x2 && inner.y2 <= outer.y2
