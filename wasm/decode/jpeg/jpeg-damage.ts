/** Checks how much of a damaged JPEG was decoded. The decoder only warns, and fills missing blocks with grey. */
import type { Raster } from '../../imaging/image.ts'
import type { JpegHeader } from './jpeg-header.ts'
import { MARKER, segments } from './jpeg-segments.ts'

/** Grey levels of missing blocks without and with an ink channel, and the tolerance for rounding. */
const FILL = 128
const INK_FILL = 64
const FILL_TOLERANCE = 2

/** Frequencies of an 8 x 8 block. */
const COEFFICIENTS = 64

/**
 * True when at least half of the rows were decoded. A progressive file also needs a scan of each brightness
 * frequency: without it, the service would enrol a blur.
 */
export const isUsable = (raster: Raster, bytes: Uint8Array, header: JpegHeader): boolean =>
  filledRows(raster, header.components === 4 ? INK_FILL : FILL) * 2 <= raster.height &&
  (!header.progressive || hasEachFrequency(bytes))

/** Number of rows at the bottom that contain only fill. */
function filledRows({ data, width, height }: Raster, fill: number): number {
  let at = data.length - 1
  while (at >= 0 && Math.abs(data[at]! - fill) <= FILL_TOLERANCE) at--
  return height - Math.ceil((at + 1) / (width * 3))
}

/**
 * Checks the scans of the brightness. A scan counts when another segment follows. Source: ITU-T T.81, B.2.3 and
 * G.1.1.1.
 */
function hasEachFrequency(bytes: Uint8Array): boolean {
  const seen = new Set<number>()
  let brightness: number | undefined
  let previous: Uint8Array | undefined
  for (const { marker, data } of segments(bytes)) {
    if (previous) {
      brightness ??= previous[1]
      if (previous[1] === brightness) for (const frequency of frequenciesOf(previous)) seen.add(frequency)
    }
    previous = marker === MARKER.startOfScan ? data : undefined
  }
  return seen.size === COEFFICIENTS
}

/** The first and last frequency follow the list of components, which has two bytes per component. */
function* frequenciesOf(scan: Uint8Array): Generator<number> {
  const at = 1 + 2 * (scan[0] ?? 0)
  const last = Math.min(scan[at + 1] ?? 0, COEFFICIENTS - 1)
  for (let frequency = scan[at] ?? 0; frequency <= last; frequency++) yield frequency
}
