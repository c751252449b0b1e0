/** The order in which people read faces off a photo. */
import type { Box } from '../core/contract/model/bbox.ts'

const middle = ({ y1, y2 }: Box): number => (y1 + y2) / 2

/**
 * Row by row from the top, each row from the left. A row is as high as its topmost face: whoever has the middle of the
 * face above that face's lower edge stands in the same row.
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
