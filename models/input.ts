/** Converts 8-bit pixels to the numbers that a network takes. */
import type { ModelInput } from './manifest.ts'

const CHANNELS = 3

/** Number of floats of a picture of this size. */
export const inputLength = (width: number, height: number): number => CHANNELS * width * height

/**
 * Writes one RGB picture, rows from the top, to `tensor` from `offset`: normalised, one plane per channel, in the
 * network's channel order. `mirrored` swaps left and right.
 */
export function writeInput(
  { channels, mean, std }: Pick<ModelInput, 'channels' | 'mean' | 'std'>,
  pixels: Uint8Array,
  width: number,
  tensor: Float32Array,
  { offset = 0, mirrored = false } = {},
): void {
  const area = pixels.length / CHANNELS
  for (let channel = 0; channel < CHANNELS; channel++) {
    const levels = normalisedLevels(mean[channel]!, std[channel]!)
    const plane = offset + channel * area
    const colour = channels === 'RGB' ? channel : CHANNELS - 1 - channel
    for (let row = 0; row < area; row += width) {
      for (let column = 0; column < width; column++) {
        const from = row + (mirrored ? width - 1 - column : column)
        tensor[plane + row + column] = levels[pixels[from * CHANNELS + colour]!]!
      }
    }
  }
}

/** Tables of normalisedLevels, by mean and standard deviation: small inputs have fewer pixels than a table has values. */
const TABLES = new Map<string, Float32Array>()

/** The normalised values of the 256 pixel values. */
function normalisedLevels(mean: number, std: number): Float32Array {
  const key = `${mean} ${std}`
  const known = TABLES.get(key)
  if (known) return known
  const table = Float32Array.from({ length: 256 }, (_, value) => (value - mean) / std)
  TABLES.set(key, table)
  return table
}
