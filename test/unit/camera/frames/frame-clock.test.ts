/** Times of frames, by the times of their stream. */
import { expect, it } from 'vitest'
import { frameClock } from '#camera/frames/frame-clock.ts'

/** A clock, and a function that gives it frames: each arrives `delayOf` milliseconds after its time. */
function started() {
  let arrival = 0
  const clock = frameClock(() => arrival)
  return (from: number, to: number, delayOf: (time: number) => number) => {
    const found: { time: number; isBehind: boolean }[] = []
    for (let time = from; time < to; time += 200) {
      arrival = time + delayOf(time)
      found.push(clock.date(time))
    }
    return found
  }
}

it('frames keep their own times while they arrive later and later, and the reader is behind after eight late seconds', () => {
  const read = started()
  expect(read(0, 5_000, () => 30).at(-1)).toEqual({ time: 4_830, isBehind: false })
  const late = read(5_000, 16_000, time => 30 + (time - 5_000) / 2)
  const times = late.map(({ time }, i) => Math.abs(time - 5_030 - i * 200))
  expect(Math.max(...times)).toBeLessThan(20)
  expect(late[40]?.isBehind).toBe(false)
  expect(late.at(-1)?.isBehind).toBe(true)
})

it.each([
  [6_000, 0.9],
  [10_000, 0.5],
])('frames in bursts of %d ms, as in HLS, are not behind', (segment, haste) => {
  const read = started()
  const frames = read(0, 60_000, time => segment - (time % segment) * haste)
  expect(frames.some(({ isBehind }) => isBehind)).toBe(false)
})

it('frames of a camera whose clock is a little slow are not behind after a day', () => {
  const read = started()
  expect(read(0, 86_400_000, time => time * 0.0005).at(-1)?.isBehind).toBe(false)
})

it('frames without a time have that of their arrival', () => {
  expect(frameClock(() => 7).date(Number.NaN)).toEqual({ time: 7, isBehind: false })
})
