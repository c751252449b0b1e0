/** A small grey copy of a picture: mean brightness of cells. Averages suppress the noise of a sensor. */
import type { Raster } from '../../wasm/imaging/image.ts'

/** Columns and rows. At 1920 x 1080, a cell is a square of 40 pixels. */
export const COLUMNS = 48
export const ROWS = 27

/** Samples of a cell in each direction. */
const SAMPLES = 6

/** Brightness 0..255 of each cell, row by row. The time does not depend on the size of the picture. */
export function greyGrid({ data, width, height }: Raster): Float32Array {
  const grid = new Float32Array(COLUMNS * ROWS)
  for (let row = 0; row < ROWS * SAMPLES; row++) {
    const line = Math.floor(((row + 0.5) * height) / (ROWS * SAMPLES)) * width
    const cells = Math.floor(row / SAMPLES) * COLUMNS
    for (let column = 0; column < COLUMNS * SAMPLES; column++) {
      const pixel = (line + Math.floor(((column + 0.5) * width) / (COLUMNS * SAMPLES))) * 3
      const cell = cells + Math.floor(column / SAMPLES)
      grid[cell]! += 0.3 * data[pixel]! + 0.6 * data[pixel + 1]! + 0.1 * data[pixel + 2]!
    }
  }
  for (let cell = 0; cell < grid.length; cell++) grid[cell]! /= SAMPLES ** 2
  return grid
}
