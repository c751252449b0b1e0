/** Sorts faces in reading order. */
import type { Box } from '../contract/model/bbox.ts'

const middle = ({ y1, y2 }: Box): number => (y1 + y2) / 2

/**
 * Sorts row by row from the top, and each row from the left. The topmost face starts a row. A face belongs to the row
 * if its centre is above the lower edge of that first face.
 */
export function inReadingOrder<Face extends { readonly box: Box }>(faces: readonly Face[]): Face[] {
  const rows: Face[][] = []
  for (const face of faces.toSorted((a, b) => middle(a.box) - middle(b.box))) {
    const row = rows.at(-1)
    if (row && middle(face.box) < row[0]!.box.y2) row.push(face)
    else rows.push([face])
  }
  return rows.flatMap(row => row.sort((a, b) => a.box.x1 - b.box.x1))
}
