/** What a watcher reports of one camera: its frames and losses, and a picture for people. */

import sharp from 'sharp'
import { CAMERA_LIMITS } from '../contract/limits/cameras.ts'
import type { Box } from '../contract/model/bbox.ts'
import type { CameraReport, StreamError } from '../contract/model/camera.ts'
import type { Raster } from '../wasm/imaging/image.ts'

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

/** Width of a line in pixels, its colour, and the quality of JPEG, 1..100. */
const LINE = 2
const COLOUR = [64, 224, 96]
const JPEG_QUALITY = 70

/** A JPEG file within the limits of the API. Boxes are in pixels of the frame, which must not change meanwhile. */
export async function drawnPicture(
  { data, width, height }: Raster,
  boxes: readonly Box[],
): Promise<Uint8Array<ArrayBuffer>> {
  const side = CAMERA_LIMITS.pictureSide
  const { data: pixels, info } = await sharp(data, { raw: { width, height, channels: 3 } })
    .resize(side, side, { fit: 'inside', withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const small = { data: pixels, width: info.width, height: info.height }
  const scale = info.width / width
  for (const { x1, y1, x2, y2 } of boxes)
    drawBox(small, { x1: x1 * scale, y1: y1 * scale, x2: x2 * scale, y2: y2 * scale })
  const raw = { width: info.width, height: info.height, channels: 3 } as const
  return new Uint8Array(await sharp(pixels, { raw }).jpeg({ quality: JPEG_QUALITY }).toBuffer())
}

function drawBox(picture: Raster, { x1, y1, x2, y2 }: Box): void {
  fill(picture, { x1, y1, x2, y2: y1 + LINE })
  fill(picture, { x1, y1: y2 - LINE, x2, y2 })
  fill(picture, { x1, y1, x2: x1 + LINE, y2 })
  fill(picture, { x1: x2 - LINE, y1, x2, y2 })
}

/** Paints the part of the box that is inside the picture. */
function fill({ data, width, height }: Raster, { x1, y1, x2, y2 }: Box): void {
  const [left, right] = [Math.max(0, Math.round(x1)), Math.min(width, Math.round(x2))]
  for (let y = Math.max(0, Math.round(y1)); y < Math.min(height, Math.round(y2)); y++)
    for (let x = left; x < right; x++) data.set(COLOUR, (y * width + x) * 3)
}
