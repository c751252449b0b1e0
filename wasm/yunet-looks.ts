/** The detector of the kind `yunet`: it looks at the whole photo, and at large ones in tiles, too. */
import { type Box, height, width } from '../core/contract/bbox.ts'
import { LIMITS } from '../core/contract/limits.ts'
import { inputLength, writeInput } from '../models/input.ts'
import type { ReadModel, YunetModel } from '../models/manifest.ts'
import type { Detection, Detector } from './detection.ts'
import { moved } from './geometry.ts'
import { type Affine, type Photo, warp } from './image.ts'
import { merged } from './nms.ts'
import type { Runtime, Session } from './runtime.ts'
import { readYunet } from './yunet.ts'

/** Scores below this are not faces. */
const LEAST_SCORE = 0.5

/** Boxes that overlap this much are one face. */
const SAME_FACE = 0.3

/** Pixels of a picture that the smallest faces have to fill. YuNet was trained on faces of 10 pixels and more. */
const LEAST_SEEN = 12

/** Tiles share this part of their sides with their neighbours: a face up to so large is whole in one of them. */
const SHARED = 0.25

/** Sides of pictures are filled up to multiples of the network's coarsest grid. */
const STEP = 32

/** A picture of a part of the photo: `pixel` is the side of one of its pixels on the photo, `left` and `top` its corner there. */
interface Picture {
  readonly width: number
  readonly height: number
  readonly pixel: number
  readonly left: number
  readonly top: number
  /** Pixels of the largest face that it is believed about. */
  readonly most: number
}

/** Loads the network. */
export async function openYunet(runtime: Runtime, read: ReadModel, model: YunetModel): Promise<Detector> {
  const session = await runtime.session(await read(model.file))
  return {
    /** `sharper` gives the photo with a raster of at least this share of its size. */
    async detect(photo, sharper: (scale: number) => Promise<Photo> = async () => photo) {
      const pictures = picturesOf(photo, model)
      const seen = await sharper(1 / Math.min(...pictures.map(({ pixel }) => pixel)))
      const found: Detection[] = []
      for (const picture of pictures) found.push(...(await lookAt(session, model, seen, picture)))
      return merged(found, SAME_FACE).filter(({ box }) => sideOf(box) >= LIMITS.faceSide)
    },
  }
}

const sideOf = (box: Box): number => Math.min(width(box), height(box))

/** The whole photo and, where its smallest faces would be too small in that, tiles of it. */
function picturesOf(photo: Photo, model: YunetModel): Picture[] {
  const { width, height } = photo
  // No picture shows more pixels than the photo has.
  const pixel = Math.max(1, Math.max(width, height) / model.side)
  const whole = { ...sizeOf(photo, pixel, model), pixel, most: Number.POSITIVE_INFINITY }
  const left = (width - whole.width * pixel) / 2
  const top = (height - whole.height * pixel) / 2
  const finest = LIMITS.faceSide / LEAST_SEEN
  return [{ ...whole, left, top }, ...(pixel > finest ? tilesOf(photo, finest, model.side) : [])]
}

function sizeOf({ width, height }: Photo, pixel: number, { side, fixed }: YunetModel) {
  const filled = (length: number) => (fixed ? side : Math.ceil(length / pixel / STEP - 1e-9) * STEP)
  return { width: filled(width), height: filled(height) }
}

/** Square tiles that cover the photo, row by row. */
function tilesOf({ width, height }: Photo, pixel: number, side: number): Picture[] {
  const most = SHARED * side
  const starts = (length: number): number[] => {
    const tile = side * pixel
    const count = Math.max(1, Math.ceil((length - tile) / (tile * (1 - SHARED))) + 1)
    if (count === 1) return [(length - tile) / 2]
    return Array.from({ length: count }, (_, i) => (i * (length - tile)) / (count - 1))
  }
  return starts(height).flatMap(top =>
    starts(width).map(left => ({ width: side, height: side, pixel, left, top, most })),
  )
}

/** The detections in one picture, in the photo's coordinates. */
async function lookAt(
  session: Session,
  { input }: YunetModel,
  photo: Photo,
  picture: Picture,
): Promise<Detection[]> {
  const { width, height, pixel, left, top, most } = picture
  const toUpright: Affine = [pixel, 0, left, 0, pixel, top]
  const data = new Float32Array(inputLength(width, height))
  writeInput(input, warp(photo, toUpright, width, height), width, data)
  const outputs = await session.run({ [input.name]: { data, dims: [1, 3, height, width] } })
  return readYunet(outputs, width, LEAST_SCORE)
    .filter(({ box }) => sideOf(box) <= most)
    .map(({ score, box, points }) => {
      const from = moved(toUpright, { x: box.x1, y: box.y1 })
      const to = moved(toUpright, { x: box.x2, y: box.y2 })
      return {
        score,
        box: { x1: from.x, y1: from.y, x2: to.x, y2: to.y },
        ...(points && { points: points.map(point => moved(toUpright, point)) }),
      }
    })
}
