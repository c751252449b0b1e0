/** Times of frames, by the times of their stream. */
import { frameClock, WRONG_CLOCK_DRIFT } from '#camera/frames/frame-clock.ts'

/** A clock, and a function that gives it frames: each arrives `delayOf` milliseconds after its time. */
function started(drift?: number) {
  let arrival = 0
  const clock = frameClock(drift, () => arrival)
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

it('a clock that is known to be wrong may be slow by some per cent, and a slow machine is still behind', () => {
  expect(started(WRONG_CLOCK_DRIFT)(0, 3_600_000, time => time * 0.04).at(-1)?.isBehind).toBe(false)
  expect(started(WRONG_CLOCK_DRIFT)(0, 60_000, time => time * 0.3).at(-1)?.isBehind).toBe(true)
})

it('frames without a time have the time of their arrival, and after late frames they do not go ahead', () => {
  expect(frameClock(undefined, () => 7).date(Number.NaN)).toEqual({ time: 7, isBehind: false })
  let arrival = 0
  const clock = frameClock(undefined, () => arrival)
  const dates = [0, 1_000, Number.NaN, 1_200].map((time, i) => {
    arrival = [0, 2_000, 2_100, 2_200][i]!
    return Math.round(clock.date(time).time)
  })
  expect(dates).toEqual([0, 1_002, 1_102, 1_202])
})
