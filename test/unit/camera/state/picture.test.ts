/** The picture of a camera for people. */
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { drawnPicture } from '#camera/state/picture.ts'
import { LIMITS } from '#contract/limits.ts'

const frame = (width: number, height: number, noise = false) => ({
  data: Uint8Array.from({ length: width * height * 3 }, () => (noise ? Math.random() * 256 : 0)),
  ...{ width, height },
})

it('a picture is small, keeps its shape, and has a box around each face', async () => {
  const boxes = [
    { x1: 320, y1: 160, x2: 640, y2: 480 },
    { x1: -50, y1: 700, x2: 100, y2: 900 },
  ]
  const jpeg = await drawnPicture(frame(1280, 800), boxes)
  const { data, info } = await sharp(jpeg).raw().toBuffer({ resolveWithObject: true })
  expect(info).toMatchObject({ width: 640, height: 400 })
  const green = (x: number, y: number) => data[(y * 640 + x) * 3 + 1]!
  for (const [x, y] of [
    [161, 160],
    [240, 81],
    [319, 160],
    [48, 370],
  ] as const)
    expect(green(x, y)).toBeGreaterThan(120)
  for (const [x, y] of [
    [240, 160],
    [330, 160],
    [20, 380],
  ] as const)
    expect(green(x, y)).toBeLessThan(60)
})

it('a picture of a small frame is not enlarged, and the worst one fits the limit', async () => {
  expect(await sharp(await drawnPicture(frame(320, 240), [])).metadata()).toMatchObject({ width: 320 })
  const worst = await drawnPicture(frame(640, 640, true), [])
  expect(worst.length).toBeLessThan(LIMITS.cameraPictureBytes)
})
