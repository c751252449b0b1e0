/** Provides rasters of one photo, each no larger than needed. */
import { averageRows } from '../imaging/box-average.ts'
import type { Photo } from '../imaging/orientation.ts'
import { NO_PAUSES, type Pace } from '../runtime/pace.ts'
import { reduce } from './budget.ts'
import type { Header } from './header.ts'

export interface PhotoSource {
  /** The photo with a raster of at least this scale. The previous raster must not be read afterwards. */
  at(scale: number): Promise<Photo>
  release(): void
}

/**
 * Decodes with `decodeAt`. JPEGs decode faster at a smaller scale, and are decoded again for a larger one. Other
 * formats always decode whole: the first raster has at least the scale `usual`, and smaller rasters are averages of
 * that raster.
 */
export function photoSource(
  header: Header,
  usual: number,
  decodeAt: (scale: number) => Promise<Photo>,
  pace: Pace = NO_PAUSES,
): PhotoSource {
  let decoded: Photo | undefined
  let current: Photo | undefined
  const isLess = (photo: Photo, scale: number) => photo.raster.width < reduce(header, scale).width
  return {
    async at(scale) {
      if (current && !isLess(current, scale)) return current
      if (!decoded || isLess(decoded, scale)) {
        decoded?.release()
        decoded = await decodeAt(header.format === 'jpeg' ? scale : Math.max(scale, usual))
      }
      current = await averaged(decoded, Math.floor(reduce(header, scale).step / decoded.step), pace)
      return current
    },
    release() {
      decoded?.release()
    },
  }
}

/**
 * Averages each `step` x `step` block of the raster. The result has its own memory; the caller keeps ownership of
 * `photo`.
 */
async function averaged(photo: Photo, step: number, pace: Pace): Promise<Photo> {
  if (step < 2) return photo
  const { data, width, height } = photo.raster
  const smaller = { width: Math.ceil(width / step), height: Math.ceil(height / step), step }
  const rowAt = (y: number) => data.subarray(3 * width * y, 3 * width * (y + 1))
  const raster = await averageRows({ width, height }, smaller, rowAt, pace)
  return { ...photo, raster, step: photo.step * step, release: () => {} }
}
