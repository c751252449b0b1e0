import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Box } from '../../core/contract/bbox.ts'
import { LIMITS } from '../../core/contract/limits.ts'
import { centreOf, moved } from '../../wasm/geometry.ts'
import { invert } from '../../wasm/image.ts'
import { levelsOf } from '../../wasm/levels.ts'
import type { Picture } from '../../wasm/pictures.ts'

const photo = { width: 4000, height: 3000 }
/** Side of the fine look's pixels on it. */
const COARSEST = 12.5

const places = (most: number): fc.Arbitrary<Box[]> =>
  fc.array(
    fc
      .tuple(
        fc.integer({ min: 0, max: 3700 }),
        fc.integer({ min: 0, max: 2700 }),
        fc.integer({ min: 30, max: 300 }),
      )
      .map(([x1, y1, side]) => ({ x1, y1, x2: x1 + side, y2: y1 + side })),
    { minLength: 1, maxLength: most },
  )

/** How far the box is from the nearest edge of the picture at which the photo goes on, in the picture's pixels. */
function roomAround(box: Box, { width, height, toUpright }: Picture): number {
  const fromUpright = invert(toUpright)
  const [from, to] = [
    moved(fromUpright, { x: box.x1, y: box.y1 }),
    moved(fromUpright, { x: box.x2, y: box.y2 }),
  ]
  const [left, top] = [toUpright[2], toUpright[5]]
  const { x: right, y: bottom } = moved(toUpright, { x: width, y: height })
  return Math.min(
    left <= 0 ? Number.POSITIVE_INFINITY : from.x,
    top <= 0 ? Number.POSITIVE_INFINITY : from.y,
    right >= photo.width ? Number.POSITIVE_INFINITY : width - to.x,
    bottom >= photo.height ? Number.POSITIVE_INFINITY : height - to.y,
  )
}

it('each of a few places is whole and in the midst of one window of every look', () => {
  fc.assert(
    fc.property(places(5), some => {
      const levels = levelsOf(photo, COARSEST, some)
      for (const { pictures } of levels) {
        for (const place of some)
          expect(Math.max(...pictures.map(picture => roomAround(place, picture)))).toBeGreaterThan(15)
      }
    }),
  )
})

it('fewer places get more looks, and all of them together show no more than they may', () => {
  fc.assert(
    fc.property(places(40), some => {
      const levels = levelsOf(photo, COARSEST, some)
      const shown = levels.flatMap(({ pictures }) => pictures).map(({ width, height }) => width * height)
      expect(levels.length).toBeGreaterThan(0)
      expect(levels.reduce((sum, { pixels }) => sum + pixels, 0)).toBeLessThanOrEqual(LIMITS.detectionPixels)
      if (some.length <= 2) expect(levels).toHaveLength(4)
      // Tiles of the whole photo share their edges.
      expect(shown.reduce((sum, pixels) => sum + pixels, 0)).toBeLessThan(2.5 * LIMITS.detectionPixels)
    }),
  )
})

it('many places are reason to look at all of the photo', () => {
  const crowd = Array.from({ length: 30 }, (_, i) => ({
    x1: (i % 6) * 600,
    y1: Math.floor(i / 6) * 600,
    x2: (i % 6) * 600 + 60,
    y2: Math.floor(i / 6) * 600 + 60,
  }))
  const everything = levelsOf(photo, COARSEST, 'everywhere')
  expect(levelsOf(photo, COARSEST, crowd)).toEqual(everything)
  const far = (point: { x: number; y: number }): number =>
    Math.min(
      ...everything[0]!.pictures.map(
        one => -roomAround({ x1: point.x, y1: point.y, x2: point.x, y2: point.y }, one),
      ),
    )
  for (const box of crowd) expect(far(centreOf(box))).toBeLessThanOrEqual(0)
})
