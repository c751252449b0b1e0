/** Boxes as callers write them: one object, one 4-array, an array of either, or the JSON text of any of these. */

import { LIMITS } from '../../core/contract/limits.ts'
import { type Box, height, rounded, shorterSide, width } from '../../core/contract/model/bbox.ts'
import { parseJsonText } from '../http/encodings/json.ts'

/** Far outside any photo; beyond it a coordinate is a mistake. */
const FARTHEST = 1_000_000

/** What is expected of a box, for errors. */
const A_BOX = '4 numbers x1,y1,x2,y2 with x2 > x1 and y2 > y1'
const A_LARGE_BOX = `${A_BOX}, at least ${LIMITS.faceSide} pixels wide and high`
const FEW_BOXES = `at most ${LIMITS.boxes} boxes`

/** The boxes, none for "" and [] and null; or what was expected, as a phrase. */
export function parseBoxes(value: unknown): Box[] | string {
  const given = fromText(onlyElement(value))
  if (given === undefined || given === null || given === '') return []
  const list = asList(given)
  if (list.length > LIMITS.boxes) return FEW_BOXES
  const boxes: Box[] = []
  for (const item of list) {
    const box = parseBox(item)
    if (typeof box === 'string') return box
    boxes.push(box)
  }
  return boxes
}

/** `bbox[]` with one text is that text: an empty list, or the JSON of all boxes. */
const onlyElement = (value: unknown): unknown =>
  Array.isArray(value) && value.length === 1 && typeof value[0] === 'string' ? value[0] : value

/** A box that is large enough to hold a face, with whole coordinates; or what was expected. */
function parseBox(value: unknown): Box | string {
  const corners = cornersOf(fromText(value))
  if (!corners) return A_BOX
  const numbers = corners.map(asNumber)
  if (!numbers.every(number => Math.abs(number) <= FARTHEST)) return A_BOX
  const [x1, y1, x2, y2] = numbers as [number, number, number, number]
  return checkedBox({ x1, y1, x2, y2 })
}

/** The box, rounded, if it can hold a face; else what was expected, as a phrase. */
export function checkedBox(corners: Box): Box | string {
  const box = rounded(corners)
  if (width(box) <= 0 || height(box) <= 0) return A_BOX
  return shorterSide(box) < LIMITS.faceSide ? A_LARGE_BOX : box
}

/** Four coordinates in a row are one box; any other array is a list of boxes. */
function asList(value: unknown): unknown[] {
  if (!Array.isArray(value) || isBoxes(value, 4)) return [value]
  const [only] = value
  // Ruby writes [[1, 2, 3, 4], [5, 6, 7, 8]] as bbox[][]=1 and so on: all numbers come in one list.
  return value.length === 1 && isBoxes(only, LIMITS.boxes * 4) ? inFours(only) : value
}

/** The most coordinates that the boxes of one request have. */
const isBoxes = (value: unknown, most: number): value is unknown[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.length <= most &&
  value.length % 4 === 0 &&
  value.every(isScalar)

const inFours = (coordinates: unknown[]): unknown[][] =>
  Array.from({ length: coordinates.length / 4 }, (_, i) => coordinates.slice(4 * i, 4 * i + 4))

const isScalar = (value: unknown): boolean => typeof value === 'number' || !Number.isNaN(asNumber(value))

/** Characters of a coordinate. */
const LONGEST = 64

const asNumber = (value: unknown): number => {
  if (typeof value === 'number') return value
  const isText = typeof value === 'string' && value.length <= LONGEST && value.trim() !== ''
  return isText ? Number(value) : Number.NaN
}

function cornersOf(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value.length === 4 ? value : undefined
  if (typeof value !== 'object' || value === null) return undefined
  const { x1, y1, x2, y2 } = value as Record<string, unknown>
  return [x1, y1, x2, y2]
}

/** JSON text -> its value; anything else as it is. Text that is no JSON stays text, which no box is. */
function fromText(value: unknown): unknown {
  if (typeof value !== 'string' || value === '') return value
  const parsed = parseJsonText(value)
  return parsed === undefined ? value : parsed
}
