/** Dates the frames of a stream by its own times, and notices when they arrive late. camera/stream.ts decides that a clock is wrong. */
import { environment } from '../../contract/environment.ts'

/** Delay in milliseconds above which a frame is late. */
const LATE_MS = 2_000

/** Milliseconds of lateness of all frames from which the reader is behind. Longer than a segment of HLS: a segment arrives at once. */
const BEHIND_MS = 8_000

/** Share by which the clock of a camera may be too slow, and share from which its times are treated as wrong. */
const CLOCK_DRIFT = 0.001
export const WRONG_CLOCK_DRIFT = 0.05

/** Returns a function of the times of arrival and of the frame. Its result: the milliseconds for which all frames have been late. */
export function lateness(): (arrival: number, time: number) => number {
  let since: number | undefined
  return (arrival, time) => {
    since = arrival - time > LATE_MS ? (since ?? arrival) : undefined
    return since === undefined ? 0 : arrival - since
  }
}

/** Dates frames by the times of their stream, in milliseconds. NaN: the stream has none. */
export interface FrameClock {
  date(streamMs: number): { time: number; isBehind: boolean }
}

/** Dates the frames of a file that is read from this time on, in milliseconds of the file. They never go back, and are never late. */
export function fileClock(from: number): FrameClock {
  let time = from
  return {
    date(streamMs) {
      time = Math.max(time, from + (streamMs || 0))
      return { time, isBehind: false }
    },
  }
}

/** Times are milliseconds of `environment.monotonic()`. `drift`: share by which the clock of the camera may be too slow. */
export function frameClock(
  drift = CLOCK_DRIFT,
  now: () => number = () => environment.monotonic(),
): FrameClock {
  const lateFor = lateness()
  /** Difference of arrival and stream for the frame that came with the least delay. */
  let offset = Number.POSITIVE_INFINITY
  let arrivedAt = 0
  let lastTime = 0
  let delay = 0
  return {
    /** Call when the frame arrives. */
    date(streamMs) {
      const arrival = now()
      if (Number.isNaN(streamMs)) {
        // A lost time: the frame is as late as the last one.
        lastTime = Math.max(lastTime, arrival - delay)
        return { time: lastTime, isBehind: false }
      }
      offset = Math.min(arrival - streamMs, offset + (arrival - arrivedAt) * drift)
      arrivedAt = arrival
      const time = Math.max(lastTime, streamMs + offset)
      lastTime = time
      delay = arrival - time
      return { time, isBehind: lateFor(arrival, time) >= BEHIND_MS }
    },
  }
}
