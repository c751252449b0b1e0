/** What a watcher reports of one camera: its frames and losses, and a picture for people. */

import sharp from 'sharp'
import { environment } from '../contract/environment.ts'
import { CAMERA_LIMITS } from '../contract/limits/cameras.ts'
import type { Box } from '../contract/model/bbox.ts'
import type { CameraReport, StreamError } from '../contract/model/camera.ts'
import type { Raster } from '../wasm/imaging/image.ts'

/** Period of the measured rate in milliseconds. */
const RATE_MS = 5_000

export type CameraMeter = ReturnType<typeof cameraMeter>

/** `dropped` returns the number of frames that were not analysed. `now` returns milliseconds of a clock that never goes back. */
export function cameraMeter(dropped: () => number, now: () => number = () => environment.monotonic()) {
  const counts = { frames: 0, losses: 0, visits: 0 }
  const start = now()
  let arrivals: number[] = []
  let size: Pick<Raster, 'width' | 'height'> | undefined
  let lastAt: number | undefined
  let lastError: StreamError | null = null

  return {
    frame({ width, height }: Pick<Raster, 'width' | 'height'>): void {
      counts.frames++
      size = { width, height }
      lastAt = now()
      arrivals = [...arrivals.filter(at => lastAt! - at < RATE_MS), lastAt]
    },
    /** The stream ended. */
    lost(reason: StreamError): void {
      counts.losses++
      lastError = reason
    },
    /** A visit is reported. */
    visit: () => void counts.visits++,
    /** Since the start. */
    counts: () => ({ ...counts, dropped: dropped() }),
    report(): Omit<CameraReport, 'furniture' | 'turn'> {
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

/** Width of a line in pixels of the picture, and the quality of JPEG, 1..100. */
const LINE = 2
const JPEG_QUALITY = 70

/** A JPEG file within the limits of the API. Boxes are in pixels of the frame, which must not change meanwhile. */
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
    `preserveAspectRatio="none" fill="none" stroke="#40e060" stroke-width="${LINE / scale}">${shapes.join('')}</svg>`
  const picture = sharp(data, { raw: { width, height, channels: 3 } })
    .resize({ ...size, fit: 'fill' })
    .composite([{ input: Buffer.from(svg) }])
    .jpeg({ quality: JPEG_QUALITY })
  return new Uint8Array(await picture.toBuffer())
}
