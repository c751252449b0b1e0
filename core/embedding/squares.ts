/** The squares about a face that the emotion network is shown, cut from the thumbnail. */

import { inputLength } from '../../models/input.ts'
import type { EmotionModel, Square } from '../../models/manifest.ts'
import { squareAt } from '../../wasm/geometry.ts'
import { uprightPhoto, warp } from '../../wasm/image.ts'
import type { Thumbnail } from '../../wasm/thumbnail.ts'
import { height, width } from '../contract/bbox.ts'

/** Bytes of one face's squares. */
export const squaresLength = ({ size, squares }: Pick<EmotionModel, 'size' | 'squares'>): number =>
  squares.length * inputLength(size, size)

/**
 * The model's squares of one face, one after the other: RGB, `size` pixels a side, upright as the network learned faces.
 * What lies off the photo is its edge, continued: black there costs far more right answers.
 */
export function squaresOf(
  thumbnail: Thumbnail,
  { size, squares }: Pick<EmotionModel, 'size' | 'squares'>,
): Uint8Array {
  const photo = uprightPhoto(thumbnail)
  const pixels = new Uint8Array(squaresLength({ size, squares }))
  for (const [i, square] of squares.entries()) {
    const { centre, side } = placeOf(square, thumbnail)
    const cut = warp(photo, squareAt(centre, side, 0, size), size, size, 'continued')
    pixels.set(cut, i * cut.length)
  }
  return pixels
}

/**
 * A box that is higher than wide shows the forehead, too: so much of the difference belongs to the square from brow to chin
 * for which the models' squares are meant, and so much lower is its middle. Source: the boxes that BlazeFace and SSD draw of the
 * same faces; 0.92 and 1.2 sides of BlazeFace's square wide and high, and 0.08 further up.
 */
const BELOW_FOREHEAD = 2 / 7

/** Where the square lies on the thumbnail. */
function placeOf({ side, up }: Square, { face }: Pick<Thumbnail, 'face'>) {
  const forehead = BELOW_FOREHEAD * (height(face) - width(face))
  const faceSide = width(face) + forehead
  const centre = { x: (face.x1 + face.x2) / 2, y: (face.y1 + face.y2) / 2 + forehead - up * faceSide }
  return { centre, side: side * faceSide }
}
