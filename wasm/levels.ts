/** What closer looks show of a photo: tiles of all of it or windows on places, at each look's size and at coarser ones. */
import { type Box, shorterSide } from '../core/contract/bbox.ts'
import { LIMITS } from '../core/contract/limits.ts'
import { centreOf, type Point } from './geometry.ts'
import { type Picture, type Size, tilesOf, windowAt } from './pictures.ts'

/**
 * The looks by the pixels that the smallest reported face has there, SSD's and at some sizes BlazeFace's before it. The first
 * is always taken, the others as long as all of them show no more than they may: on larger photos they would take seconds.
 */
const LOOKS = [
  { side: 20, mirror: true, both: true },
  { side: 16, mirror: false, both: true },
  { side: 20, mirror: false, both: false },
  { side: 16, mirror: true, both: false },
] as const

/** Tiles, and what neighbours share, in pixels. */
const TILE = 416
const SHARED = 96

/** Windows on places, in pixels: their side, the least way from a place's middle to an edge, and the largest face for them. */
const WINDOW = 160
const SURROUNDINGS = 56
const LARGEST_PLACE = 72

/** Looks at places show no more than so many pixels, nor than this part of the photo: else the whole of it is in doubt. */
const PLACES = { pixels: 300_000, part: 1 / 3 }

/** Faces above this many pixels of SSD's looks may not be whole in a tile: there is a coarser look for them. */
const COARSER = 3

/** Side on the photo of a pixel of SSD's first look at a photo whose smallest faces it can show as they should be. */
export const USUAL_PIXEL = LIMITS.faceSide / LOOKS[0].side

/** What one look shows of the photo, finest first, and the side of its finest pixels there. */
interface Shown {
  readonly pictures: readonly Picture[]
  readonly pixel: number
  /** About so many pixels. */
  readonly pixels: number
}

export type Level = Shown & Pick<(typeof LOOKS)[number], 'mirror' | 'both'>

/** The looks, as many as may be taken: at the places if these are few, and otherwise at all of the photo. */
export function levelsOf(photo: Size, coarsest: number, places: readonly Box[] | 'everywhere'): Level[] {
  if (places !== 'everywhere') {
    const most = Math.min(PLACES.pixels, (PLACES.part * photo.width * photo.height) / USUAL_PIXEL ** 2)
    const atPlaces = asMany(most, pixel => placesShown(photo, pixel, coarsest, places))
    if (atPlaces.length > 0) return atPlaces
  }
  return asMany(LIMITS.detectionPixels, pixel => allShown(photo, pixel, coarsest))
}

/** The looks in their order that show no more than so many pixels together. */
function asMany(most: number, show: (pixel: number) => Shown): Level[] {
  const levels: Level[] = []
  let pixels = 0
  for (const { side, mirror, both } of LOOKS) {
    const shown = show(LIMITS.faceSide / side)
    pixels += shown.pixels
    if (pixels > most) break
    levels.push({ ...shown, mirror, both })
  }
  return levels
}

/** All of the photo, in larger pixels if these show too many. */
function allShown(photo: Size, pixel: number, coarsest: number): Shown {
  const area = photo.width * photo.height
  const finest = Math.max(pixel, Math.sqrt(area / LIMITS.detectionPixels))
  const pictures = coarserFrom(finest, coarsest).flatMap(each => tilesOf(photo, each, TILE, SHARED))
  return { pictures, pixel: finest, pixels: Math.min(area / finest ** 2, LIMITS.detectionPixels) }
}

/** Each place in the finest pixels that show all of its face, the surroundings with it. */
function placesShown(photo: Size, pixel: number, coarsest: number, places: readonly Box[]): Shown {
  const steps = coarserFrom(pixel, coarsest)
  const finestFor = (place: Box): number =>
    steps.find(step => shorterSide(place) <= LARGEST_PLACE * step) ?? steps.at(-1)!
  const pictures = steps.flatMap(step =>
    windowsOn(
      photo,
      step,
      places.filter(place => finestFor(place) === step),
    ),
  )
  return { pictures, pixel, pixels: pictures.length * WINDOW ** 2 }
}

/** Windows that have each of the places well within one of them. */
function windowsOn(photo: Size, pixel: number, places: readonly Box[]): Picture[] {
  const reach = (WINDOW / 2 - SURROUNDINGS) * pixel
  const centres: Point[] = []
  for (const { x, y } of places.map(centreOf)) {
    const isShown = centres.some(centre => Math.abs(centre.x - x) <= reach && Math.abs(centre.y - y) <= reach)
    if (!isShown) centres.push({ x, y })
  }
  return centres.map(centre => windowAt(photo, pixel, WINDOW, centre))
}

/** The pixel and coarser ones. The more pixels a face has, the more exact its box is. */
function coarserFrom(pixel: number, coarsest: number): number[] {
  const pixels = [pixel]
  while (pixels.at(-1)! * COARSER < coarsest) pixels.push(pixels.at(-1)! * COARSER)
  return pixels
}
