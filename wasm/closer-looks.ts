/** Closer looks at a photo: BlazeFace first and, where it sees anything at all, SSD at several sizes. */
import type { Box } from '../core/contract/bbox.ts'
import type { Detection, Sharper } from './detection.ts'
import { LEAST_SIGHT, type Look, type Sight } from './evidence.ts'
import type { Photo } from './image.ts'
import { levelsOf, USUAL_PIXEL } from './levels.ts'
import { merged } from './nms.ts'
import { mirrored, type Network, type Picture } from './pictures.ts'

/** BlazeFace's boxes are less exact than SSD's where faces are small: so much they count. */
const BLAZEFACE_SHARE = 0.25

/** What one look says of places that overlap this much is one sight. */
const SAME_SIGHT = 0.6

/** Pictures where BlazeFace sees nothing of at least this are not shown to SSD. */
const WORTH_A_LOOK = 0.1

export interface Networks {
  readonly blazeface: Network
  readonly ssd: Network
}

/** Looks, and all that is seen in them. */
export interface Looks {
  readonly looks: readonly Look[]
  readonly sights: readonly Sight[]
}

/** How much the boxes of a look count: by the square of the pixels that a face has there. */
const shareOf = (by: Look['by'], pixel: number): number =>
  (by === 'ssd' ? 1 : BLAZEFACE_SHARE) * (USUAL_PIXEL / pixel) ** 2

/** These looks and one more, of BlazeFace at all of the photo in pixels of this side. */
export const withLook = (
  { looks, sights }: Looks,
  { seen, pixel }: { readonly seen: readonly Detection[]; readonly pixel: number },
): Looks => ({
  looks: [...looks, { by: 'blazeface', share: shareOf('blazeface', pixel) }],
  sights: [...sights, ...merged(seen, SAME_SIGHT).map(one => ({ ...one, look: looks.length }))],
})

/**
 * All that is seen on the photo at the sizes for its smallest faces, and at coarser ones up to this pixel's: at the places, if
 * these are few.
 */
export async function lookCloser(
  { blazeface, ssd }: Networks,
  photo: Photo,
  sharper: Sharper,
  coarsest: number,
  places: readonly Box[] | 'everywhere',
): Promise<Looks> {
  const levels = levelsOf(photo, coarsest, places)
  const near = await sharper(Math.min(1, 1 / Math.min(...levels.map(({ pixel }) => pixel))))
  const looks: Look[] = []
  const sights: Sight[] = []
  for (const { pictures, pixel, mirror, both } of levels) {
    const add = (by: Look['by']) => looks.push({ by, share: shareOf(by, pixel) }) - 1
    const bySsd = add('ssd')
    const byBlazeface = both ? add('blazeface') : undefined
    for (const picture of pictures) {
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
