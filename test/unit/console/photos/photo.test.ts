import { takenFace } from '#console/photos/photo.ts'
import { isTooPoor } from '#wasm/quality/quality.ts'
import { selectFaces } from '#wasm/select.ts'

const PHOTO = { width: 400, height: 300 }
const MEASURES = { size: 60, sharpness: 1, brightness: 1, contrast: 1, yaw: 0, pitch: 0, roll: 0 }

const face = (x1: number, side: number, score: number, quality: number) => ({
  x1,
  y1: 10,
  x2: x1 + side,
  y2: 10 + side,
  quality: { ...MEASURES, score, quality },
})

it.each([
  ['the biggest', [face(10, 60, 0.9, 0.9), face(100, 80, 0.9, 0.9)], 1],
  ['the first of equal ones', [face(10, 60, 0.9, 0.9), face(100, 60, 0.9, 0.9)], 0],
  ['not one that is cut off by the edge of the photo', [face(10, 60, 0.9, 0.9), face(370, 100, 0.9, 0.9)], 0],
  ['not one that is too poor', [face(10, 60, 0.9, 0.01), face(100, 80, 0.6, 0.01)], 0],
  ['none of poor ones', [face(10, 60, 0.6, 0.01), face(100, 80, 0.6, 0.01)], -1],
])('a plan marks the face that the service takes: %s', (_, faces, expected) => {
  expect(takenFace(faces, PHOTO)).toBe(expected)
  const usable = faces.filter(({ quality }) => !isTooPoor(quality)).map(one => ({ box: one, one }))
  if (usable.length === 0) return
  const [selected] = selectFaces(usable, 'biggest', { photo: PHOTO, param: 'photo' })
  expect(faces.indexOf(selected!.one)).toBe(expected)
})
