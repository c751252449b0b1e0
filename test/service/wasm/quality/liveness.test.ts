/** Liveness: the crop that the network gets, and the scores of people and of a print. */
import { printedFace } from '#test/support/photos/printed.ts'
import { openTestModels, selectedFaces, threePeople } from '#test/support/vision.ts'
import { livenessCrop } from '#wasm/quality/liveness.ts'

const PHOTO = { width: 1000, height: 800 }

describe('livenessCrop', () => {
  it('enlarges the box about its centre', () => {
    const box = { x1: 450, y1: 350, x2: 550, y2: 450 }
    expect(livenessCrop(PHOTO, box, 2.7)).toEqual({ x1: 365, y1: 265, x2: 635, y2: 535 })
  })

  it.each([
    { where: 'at its edge', box: { x1: 0, y1: 700, x2: 100, y2: 800 }, y1: 600 },
    { where: 'partly beyond it', box: { x1: -20, y1: -30, x2: 80, y2: 70 }, y1: 0 },
  ])('moves the crop into the photo when the box is $where', ({ box, y1 }) => {
    expect(livenessCrop(PHOTO, box, 2)).toEqual({ x1: 0, y1, x2: 200, y2: y1 + 200 })
  })

  it('shrinks the crop in proportion when the photo is too small', () => {
    const box = { x1: 300, y1: 200, x2: 600, y2: 600 }
    expect(livenessCrop(PHOTO, box, 2.7)).toEqual({ x1: 150, y1: 0, x2: 750, y2: 800 })
  })
})

const models = await openTestModels()
const photo = await threePeople()
const livenessOn = async (bytes: Uint8Array, liveness?: boolean) =>
  (await selectedFaces(models, bytes, { liveness })).map(face => face.liveness)

it('liveness of a detected face is near 1 for people and below 0.1 for a print', {
  tags: 'long',
}, async () => {
  expect(await livenessOn(photo, true)).toEqual([
    expect.closeTo(0.9959, 2),
    expect.closeTo(0.9998, 2),
    expect.closeTo(0.9996, 2),
  ])
  const [print] = await livenessOn(await printedFace(), true)
  expect(print).toBeLessThan(0.1)
})
