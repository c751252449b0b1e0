/** Visits without a usable picture. */
import type { SeenFace } from '#camera/tracker.ts'
import { openUnusedFaces } from '#camera/unused-faces.ts'

const face = (fault: SeenFace['fault'], quality = 0): SeenFace => ({
  box: { x1: 0, y1: 0, x2: 9, y2: 9 },
  quality,
  roll: 0,
  embedding: new Float32Array(quality > 0 ? 4 : 0),
  ...(fault && { fault }),
})

it('a visit counts once, for its most frequent reason, when no picture of it could be used', () => {
  const unused = openUnusedFaces({ leastSide: 12, leastQuality: 0.5 })
  expect(unused.report(0)).toEqual({ unused: 0 })
  const visit = (start: number, faces: SeenFace[]) => {
    for (const [i, one] of faces.entries()) unused.see([one], start + i * 1_000)
    unused.see([], start + 9_000)
  }
  visit(10_000, [face('small'), face('small'), face('turned', 0.2)])
  visit(30_000, [face('small'), face('turned', 0.2), face('turned', 0.3)])
  visit(50_000, [face('small'), face('turned', 0.9)])
  expect(unused.report(60_000)).toEqual({ unused: 2, unused_reason: 'small' })
  visit(70_000, [face('turned', 0.4)])
  expect(unused.report(90_000)).toEqual({ unused: 3, unused_reason: 'turned' })
  visit(100_000, [{ ...face('small'), box: { x1: 0, y1: 0, x2: 5, y2: 9 } }])
  expect(unused.report(120_000).unused, 'a person far away').toBe(3)
})
