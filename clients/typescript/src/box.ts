/** Boxes in the keys of an answer of identify. */
import type { Box } from './types.ts'

/** The box of a key, for example `[177, 155, 252, 251]`. Throws TypeError for another text. */
export function boxOf(key: string): Box {
  const [x1, y1, x2, y2] = (/^\[(-?\d+), (-?\d+), (-?\d+), (-?\d+)\]$/.exec(key) ?? []).slice(1).map(Number)
  if (x1 === undefined || y1 === undefined || x2 === undefined || y2 === undefined)
    throw new TypeError('key: expected four numbers as in `[177, 155, 252, 251]`.')
  return { x1, y1, x2, y2 }
}
