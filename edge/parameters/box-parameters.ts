/** Box parameters of identify and detect: `bbox`, or the corners x1, y1, x2 and y2 of one box. */

import { badParam, unexpected } from '../../contract/errors.ts'
import type { Box } from '../../contract/model/bbox.ts'
import type { Selection } from '../../contract/model/selector.ts'
import { checkedBox } from './boxes.ts'
import { boxes, number, optional } from './parameter-fields.ts'

export const boxParameters = {
  bbox: optional(boxes),
  x1: optional(number),
  y1: optional(number),
  x2: optional(number),
  y2: optional(number),
}

export interface BoxParameters {
  bbox?: Box[] | undefined
  x1?: number | undefined
  y1?: number | undefined
  x2?: number | undefined
  y2?: number | undefined
}

/**
 * The boxes of a request, possibly none, and the name of the parameter that holds them. Throws BAD_PARAM for incomplete or
 * invalid corners, and when the corners and `bbox` differ.
 */
export function requestedBoxes(params: BoxParameters): Required<Pick<Selection, 'boxes' | 'boxesParam'>> {
  const { bbox = [] } = params
  const corners = cornersOf(params)
  if (bbox.length === 0) return { boxes: corners ? [corners] : [], boxesParam: 'x1' }
  if (corners && !(bbox.length === 1 && isSame(bbox[0], corners)))
    throw unexpected('bbox', bbox, 'the same box as in x1, y1, x2 and y2, or one of the two alone')
  return { boxes: bbox, boxesParam: 'bbox' }
}

function cornersOf({ x1, y1, x2, y2 }: BoxParameters): Box | undefined {
  const corners = { x1, y1, x2, y2 }
  const missing = Object.entries(corners).find(([, value]) => value === undefined)
  if (!missing) {
    const box = checkedBox(corners as Box)
    if (typeof box === 'string') throw unexpected('x1', x1, box)
    return box
  }
  if (Object.values(corners).some(value => value !== undefined))
    throw badParam(missing[0], '', 'x1, y1, x2 and y2: expected all four or none.')
  return undefined
}

const isSame = (one: Box | undefined, other: Box): boolean =>
  (['x1', 'y1', 'x2', 'y2'] as const).every(corner => one?.[corner] === other[corner])
