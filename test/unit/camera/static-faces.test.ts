/** Faces that never move are static, and people are not. */

import { openStaticFaces } from '#camera/static-faces.ts'
import { times } from '#test/support/times.ts'

const face = (x: number, y = 100, side = 60) => ({ box: { x1: x, y1: y, x2: x + side, y2: y + side } })

const MINUTE = 60_000

/** Whether the face of each frame is not static: a frame each five seconds from `start`. */
const shown = (
  staticFaces: ReturnType<typeof openStaticFaces>,
  start: number,
  minutes: number,
  faceOf: (frame: number) => ReturnType<typeof face>[],
) =>
  times(12 * minutes, frame => {
    return staticFaces.see(faceOf(frame), start + 5_000 * frame).length
  })

/** A poster whose box is found a little differently in each frame. */
const poster = (frame: number) => [face(300 + (frame % 3) * 2)]

describe('a face', () => {
  it('that does not move for ten minutes is static, also while others pass and the picture does not change', () => {
    const staticFaces = openStaticFaces()
    const counts = shown(staticFaces, 0, 9, frame => [...poster(frame), face(10 * frame)])
    expect(Math.min(...counts)).toBe(2)
    for (let time = 9 * MINUTE; time < 11 * MINUTE; time += 5_000) staticFaces.stillThere(time)
    expect(staticFaces.see([...poster(0), face(900)], 11 * MINUTE)).toEqual([face(900)])
    expect(staticFaces.boxes()).toEqual([face(300).box])
  })

  it('makes no more events after a cut of the television, until it is off for ten minutes', () => {
    const staticFaces = openStaticFaces()
    shown(staticFaces, 0, 11, poster)
    expect(staticFaces.see([face(340, 80, 80), face(300, 100, 200), face(420)], 11 * MINUTE)).toHaveLength(2)
    expect(staticFaces.see([], 20 * MINUTE)).toEqual([])
    expect(staticFaces.boxes()).toHaveLength(1)
    expect(staticFaces.see(poster(0), 21 * MINUTE + 1)).toHaveLength(1)
    expect(staticFaces.boxes()).toEqual([])
  })

  it('of a person who works at a desk or returns often is not static', () => {
    const staticFaces = openStaticFaces()
    const sitting = (frame: number) => [face(300 + (frame % 8 === 0 ? 30 : frame % 5))]
    expect(Math.min(...shown(staticFaces, 0, 30, sitting))).toBe(1)
    const coming = (frame: number) => (frame % 30 < 12 ? poster(frame) : [])
    shown(staticFaces, 40 * MINUTE, 30, coming)
    expect(staticFaces.boxes()).toEqual([])
  })
})
