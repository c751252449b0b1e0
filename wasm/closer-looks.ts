/** Closer looks at a photo, in tiles of it: BlazeFace first and, where it sees anything at all, SSD at several sizes. */

import { LIMITS } from '../core/contract/limits.ts'
import type { Sharper } from './detection.ts'
import { LEAST_SIGHT, type Look, type Sight } from './evidence.ts'
import type { Photo } from './image.ts'
import { merged } from './nms.ts'
import { mirrored, type Network, type Picture, tilesOf } from './pictures.ts'

/**
 * The looks by the pixels that the smallest reported face has there, SSD's and at some sizes BlazeFace's before it. The first
 * is always taken, the others as long as all of them show no more than LIMITS.detectionPixels: on larger photos they would
 * take seconds.
 */
const LOOKS = [
  { side: 20, mirror: true, both: true },
  { side: 16, mirror: false, both: true },
  { side: 20, mirror: false, both: false },
  { side: 16, mirror: true, both: false },
] as const

/** BlazeFace's boxes are less exact than SSD's where faces are small: so much they count. */
const BLAZEFACE_SHARE = 0.25

/** What one look says of places that overlap this much is one sight. */
export const SAME_SIGHT = 0.6

/** Tiles, and what neighbours share, in pixels. */
const TILE = 416
const SHARED = 96

/** Faces above this many pixels of SSD's looks may not be whole in a tile: there is a coarser look for them. */
const COARSER = 3

/** Tiles where BlazeFace sees nothing of at least this are not shown to SSD. */
const WORTH_A_LOOK = 0.1

/** Side on the photo of a pixel of SSD's first look at a photo whose smallest faces it can show as they should be. */
export const USUAL_PIXEL = LIMITS.faceSide / LOOKS[0].side

export interface Networks {
  readonly blazeface: Network
  readonly ssd: Network
}

export interface CloserLooks {
  readonly looks: readonly Look[]
  readonly sights: readonly Sight[]
}

/** All that is seen on the photo at the sizes for its smallest faces, and at coarser ones up to this pixel's. */
export async function lookCloser(
  { blazeface, ssd }: Networks,
  photo: Photo,
  sharper: Sharper,
  coarsest: number,
): Promise<CloserLooks> {
  const levels = levelsOf(photo, coarsest)
  const near = await sharper(Math.min(1, 1 / Math.min(...levels.flatMap(({ pixels }) => pixels))))
  const looks: Look[] = []
  const sights: Sight[] = []
  for (const { pixels, share, mirror, both } of levels) {
    const bySsd = looks.push({ by: 'ssd', share }) - 1
    const byBlazeface = both ? looks.push({ by: 'blazeface', share: share * BLAZEFACE_SHARE }) - 1 : undefined
    for (const picture of pixels.flatMap(pixel => tilesOf(near, pixel, TILE, SHARED))) {
      const take = async (network: Network, look: number, shown: Picture) => {
        const seen = merged(await network(near, shown, LEAST_SIGHT), SAME_SIGHT)
        sights.push(...seen.map(one => ({ ...one, look })))
        return seen
      }
      if (byBlazeface !== undefined) {
        const signs = await take(blazeface, byBlazeface, picture)
        if (!signs.some(({ score }) => score >= WORTH_A_LOOK)) continue
      }
      await take(ssd, bySsd, mirror ? mirrored(picture) : picture)
    }
  }
  return { looks, sights }
}

interface Level {
  /** Sides on the photo of the pixels that it is shown in, the finest first. */
  readonly pixels: readonly number[]
  readonly mirror: boolean
  readonly both: boolean
  /** So much its boxes count. */
  readonly share: number
}

/** The looks, each at its size and at coarser ones. The more pixels a face has there, the more exact its box is. */
function levelsOf(photo: Photo, coarsest: number): Level[] {
  const area = photo.width * photo.height
  const levels: Level[] = []
  let shown = 0
  for (const look of LOOKS) {
    const pixel = Math.max(LIMITS.faceSide / look.side, Math.sqrt(area / LIMITS.detectionPixels))
    shown += area / pixel ** 2
    if (levels.length > 0 && shown > LIMITS.detectionPixels) break
    const pixels = [pixel]
    while (pixels.at(-1)! * COARSER < coarsest) pixels.push(pixels.at(-1)! * COARSER)
    const share = (USUAL_PIXEL / pixel) ** 2
    levels.push({ pixels, mirror: look.mirror, both: look.both, share })
  }
  return levels
}
