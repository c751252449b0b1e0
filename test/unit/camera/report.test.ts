/** The report of a watcher about a camera: numbers, and a picture for people. */
import sharp from 'sharp'
import { cameraMeter, drawnPicture } from '#camera/report.ts'
import { CAMERA_LIMITS } from '#contract/limits/cameras.ts'

const SIZE = { width: 960, height: 640 }

it('a meter reports the rate, the age and the size of frames, and why the stream ended', () => {
  let now = 0
  const meter = cameraMeter(
    () => 3,
    5,
    () => now,
  )
  const unknown = { frame_age: null, last_error: null, width: null, height: null }
  const none = { fps: 0, searched: 0, wanted: 5, behind: 0 }
  expect(meter.report()).toEqual({ ...none, dropped: 3, losses: 0, ...unknown })
  for (let i = 0; i < 50; i++) {
    now += 200
    meter.frame(SIZE, now)
  }
  now += 100
  expect(meter.report()).toMatchObject({ fps: 5, frame_age: 0.1, ...SIZE })
  meter.lost('silent')
  meter.visit()
  now += 20_000
  expect(meter.report()).toMatchObject({ fps: 0, frame_age: 20.1, last_error: 'silent', losses: 1, ...SIZE })
  expect(meter.counts()).toEqual({ frames: 50, dropped: 3, losses: 1, visits: 1 })
})

it('a meter says when frames are late, and when too few are searched', () => {
  let [now, dropped] = [0, 0]
  const meter = cameraMeter(
    () => dropped,
    5,
    () => now,
  )
  const watch = (lateMs: number, dropping: number, frames = 50) => {
    for (let i = 0; i < frames; i++) {
      now += 200
      dropped += dropping
      meter.frame(SIZE, now - lateMs)
    }
    return { ...meter.report(), isSlow: meter.isSlow() }
  }
  expect(watch(1_900, 0)).toMatchObject({ behind: 0, searched: 5, isSlow: false })
  // The first frames of a segment of HLS.
  expect(watch(4_000, 0, 12)).toMatchObject({ behind: 0 })
  expect(watch(0, 0)).toMatchObject({ behind: 0 })
  expect(watch(4_000, 0.8)).toMatchObject({ fps: 5, behind: 4, searched: 1.2, isSlow: true, frame_age: 4 })
  now += 61_000
  expect(meter.report().behind).toBe(0)
  meter.lost('refused', 'The URL has no host.')
  expect(meter.report()).toMatchObject({ last_error: 'refused', reason: 'The URL has no host.' })
  expect(meter.isSlow()).toBe(false)
})

const frame = (width: number, height: number, noise = false) => ({
  data: Uint8Array.from({ length: width * height * 3 }, () => (noise ? Math.random() * 256 : 0)),
  width,
  height,
})

it('a picture shows boxes around faces', async () => {
  const box = { x1: 100, y1: 60, x2: 300, y2: 260 }
  const { data, info } = await sharp(await drawnPicture(frame(1_280, 720), [box]))
    .raw()
    .toBuffer({ resolveWithObject: true })
  expect([info.width, info.height]).toEqual([640, 360])
  const [red = 0, green = 0, blue = 0] = data.subarray(3 * (60 * 640 + 50))
  expect(green > red + 40 && green > blue + 40).toBe(true)
})

it('a picture of a small frame is not enlarged, and the worst one fits the limit', async () => {
  expect(await sharp(await drawnPicture(frame(320, 240), [])).metadata()).toMatchObject({ width: 320 })
  expect(await sharp(await drawnPicture(frame(4_000, 1), [])).metadata()).toMatchObject({ height: 1 })
  const worst = await drawnPicture(frame(640, 640, true), [])
  expect(worst.length).toBeLessThan(CAMERA_LIMITS.pictureBytes)
})
