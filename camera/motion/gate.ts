/** Decides whether a frame needs detection: whether it differs from the last frame that was analysed. */

/** Difference of a cell's brightness, 0..255, above which it has changed. */
const CHANGED = 8

/** Brightness of the brightest cell below which a picture counts as dark. */
const DARK = 16

/** Longest time in milliseconds without an analysis. It finds changes that are too slow or too small for the gate. */
const LONGEST_MS = 5_000

export interface MotionGate {
  /** Whether the frame needs an analysis. `now` in milliseconds. */
  isChanged(grid: Float32Array, now: number): boolean
  /** Call with each frame that is analysed. */
  analysed(grid: Float32Array, now: number): void
  /** Forgets the last frame, for example after a change of the region. */
  reset(): void
}

export function motionGate(): MotionGate {
  let reference: Float32Array | undefined
  let analysedAt = 0
  return {
    isChanged(grid, now) {
      if (!reference || now - analysedAt >= LONGEST_MS) return true
      return grid.some((value, cell) => Math.abs(value - reference![cell]!) > CHANGED)
    },
    analysed(grid, now) {
      reference = grid
      analysedAt = now
    },
    reset() {
      reference = undefined
    },
  }
}

/** Whether the picture shows nothing: a covered lens, or night without light. */
export const isDark = (grid: Float32Array): boolean => grid.every(value => value < DARK)
