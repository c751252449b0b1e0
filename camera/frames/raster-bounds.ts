/** Bounds of the pictures that a camera may send. */

/** Pixels of a frame: 4K, and a little more. A frame has three bytes for each. */
export const MAX_FRAME_PIXELS = 4_096 * 2_304
