/** 8-bit pixels -> the numbers that a network takes in. */
import type { ModelInput } from './manifest.ts'

const CHANNELS = 3

/** Floats of one picture of this size. */
export const inputLength = (width: number, height: number): number => CHANNELS * width * height

/**
 * Writes one RGB picture, rows from the top, into `tensor` from `offset` on: normalised, one plane per channel, in the
 * order that the network takes them.
 * `mirrored` swaps left and right.
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

/** What each of the 256 values of a pixel becomes. */
const normalisedLevels = (mean: number, std: number): Float32Array =>
  Float32Array.from({ length: 256 }, (_, value) => (value - mean) / std)
