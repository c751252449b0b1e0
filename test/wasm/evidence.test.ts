/** What several looks at one place come to. */
import { describe, expect, it } from 'vitest'
import type { Detection } from '../../wasm/detection.ts'
import { between, distinct, type Look, type Sight, weighed } from '../../wasm/evidence.ts'

const LOOKS: readonly Look[] = [
  { by: 'blazeface', share: 0.25 },
  { by: 'ssd', share: 1 },
  { by: 'ssd', share: 1 },
]
const boxAt = (x: number, y: number, side = 40) => ({ x1: x, y1: y, x2: x + side, y2: y + side })
const sight = (look: number, score: number, box = boxAt(100, 100)): Sight => ({ look, score, box })
const POINTS = [
  { x: 110, y: 115 },
  { x: 130, y: 115 },
]

describe('sights of one place', () => {
  it('are one face, between their boxes: nearer to those of the network that draws better', () => {
    const [face, ...others] = weighed(
      [sight(0, 0.8, boxAt(100, 100)), sight(1, 0.8, boxAt(110, 104))],
      LOOKS,
      1,
    )
    expect(others).toEqual([])
    expect(face!.box.x1).toBeCloseTo(108, 6)
    expect(face!.box.y2).toBeCloseTo(143.2, 6)
  })

  it('make surer together than each of them alone', () => {
    const surety = (...sights: Sight[]) => weighed(sights, LOOKS, 1)[0]!.score
    const all = surety(sight(0, 0.7), sight(1, 0.7), sight(2, 0.7))
    for (const look of [0, 1, 2]) expect(surety(sight(look, 0.7))).toBeLessThan(all)
  })

  it('count once for each look: the surest', () => {
    const once = weighed([sight(1, 0.6)], LOOKS, 1)[0]!.score
    expect(weighed([sight(1, 0.6), sight(1, 0.5), sight(1, 0.2)], LOOKS, 1)[0]!.score).toBe(once)
  })

  it('keep the points of the look that has some', () => {
    expect(weighed([sight(1, 0.9), { ...sight(0, 0.4), points: POINTS }], LOOKS, 1)[0]!.points).toBe(POINTS)
  })

  it('are two faces where they lie apart', () => {
    expect(weighed([sight(0, 0.8), sight(1, 0.8, boxAt(130, 100))], LOOKS, 1)).toHaveLength(2)
  })
})

it('of faces that overlap the surest is kept', () => {
  const faces = [sight(0, 0.6, boxAt(105, 100)), sight(0, 0.9), sight(0, 0.7, boxAt(300, 100))]
  expect(distinct(faces).map(({ score }) => score)).toEqual([0.9, 0.7])
})

describe('the word of one detector and that of others', () => {
  const face: Detection = { score: 0.9, box: boxAt(100, 100), points: POINTS }
  const other: Detection = { score: 0.6, box: boxAt(110, 100) }

  it.each([
    { belief: 1, score: expect.closeTo(0.9, 9), x1: 100 },
    { belief: 0.5, score: expect.closeTo(0.786, 3), x1: 105 },
    { belief: 0.0001, score: expect.closeTo(0.6, 3), x1: expect.closeTo(110, 2) },
  ])('come to something between them, by the belief of $belief', ({ belief, score, x1 }) => {
    const [told] = between(face, [other], { score: belief, box: belief })
    expect({ score: told!.score, x1: told!.box.x1, points: told!.points }).toEqual({
      score,
      x1,
      points: POINTS,
    })
  })

  it('are each believed of whether it is a face, and of where it is', () => {
    const [told] = between(face, [other], { score: 0, box: 0.8 })
    expect([told!.score, told!.box.x1]).toEqual([expect.closeTo(0.6, 9), expect.closeTo(102, 9)])
  })

  it.each([
    { score: 0.3, told: [face] },
    { score: 0, told: [] },
  ])(
    'come to the one, if that is believed at all ($score), where the others speak of another place',
    ({ score, told }) => {
      expect(between(face, [{ ...other, box: boxAt(200, 100) }], { score, box: 0.5 })).toEqual(told)
    },
  )
})
