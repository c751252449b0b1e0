/** How much of a damaged JPEG is there: the decoder only warns, and fills what is missing with grey. */
import type { Raster } from '../../imaging/image.ts'
import type { JpegHeader } from './jpeg-header.ts'
import { MARKER, segments } from './jpeg-segments.ts'

/** What missing blocks look like, with and without ink, and how far rounding may be off. */
const FILL = 128
const INK_FILL = 64
const FILL_TOLERANCE = 2

/** Frequencies of a block of 8 x 8. */
const COEFFICIENTS = 64

/**
 * True when at least half of the rows were decoded and, in a progressive file, each frequency of the brightness at least
 * coarsely: a photo of which only a blur has come would be enrolled as somebody's face.
 */
export const isUsable = (raster: Raster, bytes: Uint8Array, header: JpegHeader): boolean =>
  filledRows(raster, header.components === 4 ? INK_FILL : FILL) * 2 <= raster.height &&
  (!header.progressive || hasEachFrequency(bytes))

/** Rows at the bottom that are nothing but fill. */
function filledRows({ data, width, height }: Raster, fill: number): number {
  let at = data.length - 1
  while (at >= 0 && Math.abs(data[at]! - fill) <= FILL_TOLERANCE) at--
  return height - Math.ceil((at + 1) / (width * 3))
}

/** A scan counts when something follows it. Scans: T.81, B.2.3 and G.1.1.1. */
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

/** First and last frequency stand behind the list of components, which has two bytes for each. */
function* frequenciesOf(scan: Uint8Array): Generator<number> {
  const at = 1 + 2 * (scan[0] ?? 0)
  const last = Math.min(scan[at + 1] ?? 0, COEFFICIENTS - 1)
  for (let frequency = scan[at] ?? 0; frequency <= last; frequency++) yield frequency
}
