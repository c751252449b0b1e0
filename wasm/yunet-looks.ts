/** The detector of the kind `yunet`: it looks at the whole photo, and at large ones in tiles, too. */
import { shorterSide } from '../core/contract/bbox.ts'
import { LIMITS } from '../core/contract/limits.ts'
import type { ReadModel, YunetModel } from '../models/manifest.ts'
import { type Detection, type Detector, LEAST_SCORE, type Least } from './detection.ts'
import type { Photo } from './image.ts'
import { merged, SAME_FACE } from './nms.ts'
import { networkOf, type Picture, pixelOf, tilesOf, wholeOf } from './pictures.ts'
import type { Runtime } from './runtime.ts'
import { readYunet } from './yunet.ts'

/** Pixels of a picture that the smallest faces have to fill, and the side of such a pixel on the photo. */
const LEAST_SEEN = 12 // YuNet was trained on faces of 10 pixels and more.
const FINEST = LIMITS.faceSide / LEAST_SEEN

/** Tiles share this part of their sides with their neighbours: a face up to so large is whole in one of them. */
const SHARED = 0.25

/** Loads the network. */
export async function openYunet(
  runtime: Runtime,
  read: ReadModel,
  model: YunetModel,
  { leastScore = LEAST_SCORE, leastSide = LIMITS.faceSide }: Least = {},
): Promise<Detector> {
  const network = networkOf(await runtime.session(await read(model.file)), model.input, readYunet)
  return {
    async detect(photo, sharper = async () => photo) {
      const pixel = pixelOf(photo, model.side)
      const near = await sharper(1 / Math.min(pixel, FINEST))
      const found: Detection[] = []
      for (const picture of picturesOf(photo, pixel, model)) {
        found.push(...(await network(near, picture, leastScore)))
      }
      return merged(found, SAME_FACE).filter(({ box }) => shorterSide(box) >= leastSide)
    },
  }
}

/** The whole photo in pixels of this side and, where its smallest faces would be too small in that, tiles of it. */
const picturesOf = (photo: Photo, pixel: number, { side, fixed }: YunetModel): Picture[] => [
  wholeOf(photo, pixel, fixed ? side : undefined),
  ...(pixel > FINEST ? tilesOf(photo, FINEST, side, SHARED * side, fixed) : []),
]
