/** Cuts the input squares of the emotion network from a face's thumbnail. */

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
 * The model's squares of one face, concatenated: RGB, `size` pixels per side, upright as in the network's training.
 * Pixels outside the photo repeat its edge: black pixels reduce accuracy far more.
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

/** Position of a square on the thumbnail. The model defines it relative to the square from brow to chin. */
function placeOf({ side, up }: Square, { face }: Pick<Thumbnail, 'face'>) {
  const square = browToChin(face)
  return {
    centre: { x: square.centre.x, y: square.centre.y - up * square.side },
    side: side * square.side,
  }
}
