/** Decides whether a frame needs detection: whether it differs from the last frame that was analysed. */
import type { Raster } from '../../wasm/imaging/orientation.ts'

/** Columns and rows. At 1920 x 1080, a cell is a square of 40 pixels. */
export const COLUMNS = 48
export const ROWS = 27

/** Samples of a cell in each direction. */
const SAMPLES_PER_SIDE = 6

/** Brightness 0..255 of each cell, row by row. The time does not depend on the size of the picture. */
export function greyGrid({ data, width, height }: Raster): Float32Array {
  const grid = new Float32Array(COLUMNS * ROWS)
  for (let row = 0; row < ROWS * SAMPLES_PER_SIDE; row++) {
    const line = Math.floor(((row + 0.5) * height) / (ROWS * SAMPLES_PER_SIDE)) * width
    const cells = Math.floor(row / SAMPLES_PER_SIDE) * COLUMNS
    for (let column = 0; column < COLUMNS * SAMPLES_PER_SIDE; column++) {
      const pixel = (line + Math.floor(((column + 0.5) * width) / (COLUMNS * SAMPLES_PER_SIDE))) * 3
      const cell = cells + Math.floor(column / SAMPLES_PER_SIDE)
      grid[cell]! += 0.3 * data[pixel]! + 0.6 * data[pixel + 1]! + 0.1 * data[pixel + 2]!
    }
  }
  for (let cell = 0; cell < grid.length; cell++) grid[cell]! /= SAMPLES_PER_SIDE ** 2
  return grid
}

/** Difference of a cell's brightness, 0..255, above which it has changed. */
const CHANGED_BRIGHTNESS = 8

/** Brightness of the brightest cell below which a picture counts as dark. */
const DARK_BRIGHTNESS = 16

/** Longest time in milliseconds without an analysis. It finds changes that are too slow or too small for the gate. */
const LONGEST_GAP_MS = 5_000

export function motionGate() {
  let reference: Float32Array | undefined
  let analysedAt = 0
  /** Whether the frame differs from the last analysed one. */
  const isChanged = (grid: Float32Array) =>
    !reference || grid.some((value, cell) => Math.abs(value - reference![cell]!) > CHANGED_BRIGHTNESS)
  return {
    /** Whether the frame needs an analysis. `now` in milliseconds. */
    isDue: (grid: Float32Array, now: number) => now - analysedAt >= LONGEST_GAP_MS || isChanged(grid),
    isChanged,
    /** Call with each frame that is analysed. */
    analysed(grid: Float32Array, now: number) {
      reference = grid
      analysedAt = now
    },
    /** Forgets the last frame, for example after a change of the region. */
    reset() {
      reference = undefined
    },
  }
}

/** Whether the picture shows nothing: a covered lens, or night without light. */
export const isDarkGrid = (grid: Float32Array): boolean => grid.every(value => value < DARK_BRIGHTNESS)
