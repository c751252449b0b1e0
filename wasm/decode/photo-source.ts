/** The rasters of one photo, each no larger than its use needs. */
import type { Photo } from '../imaging/image.ts'
import { BoxAverage } from './box-average.ts'
import type { Header } from './header.ts'
import { NO_PAUSES, type Pace } from './pacing.ts'
import { reduce } from './reduction.ts'

export interface PhotoSource {
  /** The photo with a raster of at least this share of its size. The raster given before must not be read any more. */
  at(scale: number): Promise<Photo>
  release(): void
}

/** Microseconds to average one pixel. Measured. */
const PIXEL_US = 0.01

/**
 * Decodes with `decodeAt`. A JPEG decodes faster at a smaller scale, and is decoded again for a larger one. Other formats are
 * always decoded whole: the first raster has the `usual` scale, and smaller ones are averages of it.
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

/** The photo with the mean of each `step` x `step` block of its raster. Its memory is its owner's. */
async function averaged(photo: Photo, step: number, pace: Pace): Promise<Photo> {
  if (step < 2) return photo
  const { data, width, height } = photo.raster
  await pace(width * height * PIXEL_US)
  const smaller = { width: Math.ceil(width / step), height: Math.ceil(height / step), step }
  const average = new BoxAverage({ width, height, interlaced: false }, smaller)
  for (let y = 0; y < height; y++) {
    average.place({ x: 0, dx: 1, y, pixels: width }, data.subarray(3 * width * y, 3 * width * (y + 1)))
  }
  return { ...photo, raster: average.raster, step: photo.step * step, release: () => {} }
}
