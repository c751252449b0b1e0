/** Dates the frames of a stream by its own times, and notices when they arrive late. */
import { environment } from '../../contract/environment.ts'

/** Milliseconds beyond which a frame is late, and for which all frames are late when the reader is behind. HLS sends in bursts. */
export const LATE_MS = 2_000
const BEHIND_MS = 3_000

/** Share by which the clock of a camera may be too fast or too slow. */
const DRIFT = 0.001

/** Times are milliseconds of `environment.monotonic()`. */
export function frameClock(now: () => number = () => environment.monotonic()) {
  /** Difference of arrival and stream for the frame that came with the least delay. */
  let offset = Number.POSITIVE_INFINITY
  let arrivedAt = 0
  let lastTime = 0
  let lateSince: number | undefined
  return {
    /** Takes the time of a frame in its stream, in milliseconds, when it arrives. NaN: the stream has none. */
    date(streamMs: number): { time: number; isBehind: boolean } {
      const arrival = now()
      if (Number.isNaN(streamMs)) return { time: arrival, isBehind: false }
      offset = Math.min(arrival - streamMs, offset + (arrival - arrivedAt) * DRIFT)
      arrivedAt = arrival
      const time = Math.max(lastTime, streamMs + offset)
      lastTime = time
      if (arrival - time <= LATE_MS) lateSince = undefined
      else lateSince ??= arrival
      return { time, isBehind: lateSince !== undefined && arrival - lateSince >= BEHIND_MS }
    },
  }
}
