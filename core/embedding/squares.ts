/** The squares about a face that the emotion network is shown, cut from the thumbnail. */

import { inputLength } from '../../models/input.ts'
import type { EmotionModel, Square } from '../../models/manifest.ts'
import { squareAt } from '../../wasm/imaging/geometry.ts'
import { uprightPhoto, warp } from '../../wasm/imaging/image.ts'
import type { Thumbnail } from '../../wasm/imaging/thumbnail.ts'
import { browToChin } from '../../wasm/landmarks/face-frame.ts'

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

/** Where the square lies on the thumbnail: the models' squares are meant for the one from brow to chin. */
function placeOf({ side, up }: Square, { face }: Pick<Thumbnail, 'face'>) {
  const square = browToChin(face)
  return {
    centre: { x: square.centre.x, y: square.centre.y - up * square.side },
    side: side * square.side,
  }
}
