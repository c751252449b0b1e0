/** The report of a watcher about one camera: its frames and losses, and a picture for viewers. */

import sharp from 'sharp'
import { environment } from '../contract/environment.ts'
import { CAMERA_LIMITS } from '../contract/limits/cameras.ts'
import type { Box } from '../contract/model/bbox.ts'
import type { CameraReport, StreamError } from '../contract/model/camera.ts'
import { omitUndefined } from '../contract/omit-undefined.ts'
import type { Raster } from '../wasm/imaging/orientation.ts'
import { lateness } from './frames/frame-clock.ts'

/** Period of the measured rate in milliseconds. */
const RATE_PERIOD_MS = 5_000

/** Milliseconds for which all frames must be late before a report says it, and for which reports say it then. HLS sends in bursts. */
const LATE_FOR_MS = 3_000
const LATE_TOLD_MS = 60_000

/**
 * `dropped` returns the number of frames that were not analysed, and `wanted` are frames a second. `now` returns milliseconds of a
 * clock that never goes back.
 */
export function cameraMeter(
  dropped: () => number,
  wanted: number,
  now: () => number = () => environment.monotonic(),
) {
  const counts = { frames: 0, losses: 0, visits: 0 }
  const start = now()
  let arrivals: { at: number; dropped: number }[] = []
  let opened: number | undefined
  const lateFor = lateness()
  let late = { at: Number.NEGATIVE_INFINITY, ms: 0 }
  let size: Pick<Raster, 'width' | 'height'> | undefined
  let lastAt: number | undefined
  let lastError: StreamError | null = null
  let refusal: string | undefined

  /** Frames a second that arrive, and that are searched for faces. */
  const rates = () => {
    const time = now()
    const recent = arrivals.filter(({ at }) => time - at < RATE_PERIOD_MS)
    const seconds = Math.max(1_000, Math.min(RATE_PERIOD_MS, time - start)) / 1_000
    const searched = recent.length - (recent[0] ? dropped() - recent[0].dropped : 0)
    return { fps: tenths(recent.length / seconds), searched: tenths(Math.max(0, searched) / seconds) }
  }

  return {
    /** `time`: when the frame was current. */
    frame({ width, height }: Pick<Raster, 'width' | 'height'>, time: number) {
      counts.frames++
      size = { width, height }
      refusal = undefined
      lastAt = time
      const at = now()
      opened ??= at
      arrivals = [...arrivals.filter(one => at - one.at < RATE_PERIOD_MS), { at, dropped: dropped() }]
      const ms = at - time
      if (lateFor(at, time) >= LATE_FOR_MS && (ms >= late.ms || at - late.at > LATE_TOLD_MS))
        late = { at, ms }
    },
    /** The stream ended, or is not opened for this reason. */
    lost(reason: StreamError, refused?: string) {
      counts.losses++
      opened = undefined
      lastError = reason
      refusal = refused
    },
    /** Whether visits are missed: fewer than half of the wanted frames are searched. */
    isSlow: () => opened !== undefined && now() - opened >= RATE_PERIOD_MS && rates().searched < wanted / 2,
    /** A visit is reported. */
    visit: () => void counts.visits++,
    /** Since the start. */
    counts: () => ({ ...counts, dropped: dropped() }),
    report(): Omit<CameraReport, 'furniture' | 'turn' | 'unused' | 'unused_reason'> {
      const time = now()
      return {
        ...rates(),
        wanted,
        behind: time - late.at <= LATE_TOLD_MS ? tenths(late.ms / 1_000) : 0,
        dropped: dropped(),
        frame_age: lastAt === undefined ? null : (time - lastAt) / 1_000,
        last_error: lastError,
        width: size?.width ?? null,
        height: size?.height ?? null,
        losses: counts.losses,
        ...omitUndefined({ reason: refusal }),
      }
    },
  }
}

const tenths = (value: number) => Math.round(value * 10) / 10

/** Width of a line in pixels of the picture, and the quality of JPEG, 1..100. */
const BOX_LINE_PIXELS = 2
const JPEG_QUALITY = 70

/** A JPEG file within the limits of the API. Boxes are in pixels of the frame, which may be overwritten after the call. */
export async function drawnPicture(
  { data, width, height }: Raster,
  boxes: readonly Box[],
): Promise<Uint8Array<ArrayBuffer>> {
  const scale = Math.min(1, CAMERA_LIMITS.pictureSide / Math.max(width, height))
  const size = {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  }
  const shapes = boxes.map(
    ({ x1, y1, x2, y2 }) => `<rect x="${x1}" y="${y1}" width="${x2 - x1}" height="${y2 - y1}"/>`,
  )
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}" viewBox="0 0 ${width} ${height}" ` +
    `preserveAspectRatio="none" fill="none" stroke="#40e060" stroke-width="${BOX_LINE_PIXELS / scale}">${shapes.join('')}</svg>`
  const picture = sharp(data.slice(), { raw: { width, height, channels: 3 } })
    .resize({ ...size, fit: 'fill' })
    .composite([{ input: Buffer.from(svg) }])
    .jpeg({ quality: JPEG_QUALITY })
  return new Uint8Array(await picture.toBuffer())
}
