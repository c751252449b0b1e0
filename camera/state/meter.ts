/** Counts the frames and losses of one camera, for its reports and for metrics. */
import type { CameraReport, StreamError } from '../../contract/model/watching/camera-state.ts'
import type { Raster } from '../../wasm/imaging/image.ts'

export interface CameraMeter {
  frame(frame: Pick<Raster, 'width' | 'height'>): void
  /** The stream ended. */
  lost(reason: StreamError): void
  /** A visit is reported. */
  visit(): void
  /** Since the start. */
  counts(): { frames: number; dropped: number; losses: number; visits: number }
  report(): CameraReport
}

/** Period of the measured rate in milliseconds. */
const RATE_MS = 5_000

/** `dropped` returns the number of frames that were not analysed. `now` returns milliseconds of a clock that never goes back. */
export function cameraMeter(dropped: () => number, now: () => number = () => performance.now()): CameraMeter {
  const counts = { frames: 0, losses: 0, visits: 0 }
  const start = now()
  let arrivals: number[] = []
  let size: Pick<Raster, 'width' | 'height'> | undefined
  let lastAt: number | undefined
  let lastError: StreamError | null = null

  return {
    frame({ width, height }) {
      counts.frames++
      size = { width, height }
      lastAt = now()
      arrivals = [...arrivals.filter(at => lastAt! - at < RATE_MS), lastAt]
    },
    lost(reason) {
      counts.losses++
      lastError = reason
    },
    visit: () => void counts.visits++,
    counts: () => ({ ...counts, dropped: dropped() }),
    report() {
      const time = now()
      const recent = arrivals.filter(at => time - at < RATE_MS).length
      const seconds = Math.max(1_000, Math.min(RATE_MS, time - start)) / 1_000
      return {
        fps: Math.round((recent / seconds) * 10) / 10,
        dropped: dropped(),
        frame_age: lastAt === undefined ? null : (time - lastAt) / 1_000,
        last_error: lastError,
        width: size?.width ?? null,
        height: size?.height ?? null,
        losses: counts.losses,
      }
    },
  }
}
