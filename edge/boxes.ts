/** Boxes as callers write them: one object, one 4-array, an array of either, or the JSON text of any of these. */
import { type Box, height, rounded, shorterSide, width } from '../core/contract/bbox.ts'
import { LIMITS } from '../core/contract/limits.ts'

/** Far outside any photo; beyond it a coordinate is a mistake. */
const FARTHEST = 1_000_000

/** The boxes, none for "" and [] and null; or what is wrong with them, as a sentence. */
export function parseBoxes(value: unknown): Box[] | string {
  const given = fromText(value)
  if (given === undefined || given === null || given === '') return []
  const list = asList(given)
  if (list.length > LIMITS.boxes) return `At most ${LIMITS.boxes} boxes.`
  const boxes: Box[] = []
  for (const item of list) {
    const box = parseBox(item)
    if (typeof box === 'string') return box
    boxes.push(box)
  }
  return boxes
}

/** A box that is large enough to hold a face, with whole coordinates; or what is wrong with it. */
function parseBox(value: unknown): Box | string {
  const corners = cornersOf(fromText(value))
  if (!corners) return 'A box is {"x1", "y1", "x2", "y2"} or [x1, y1, x2, y2].'
  const numbers = corners.map(asNumber)
  if (!numbers.every(number => Math.abs(number) <= FARTHEST)) return 'The coordinates of a box are numbers.'
  const [x1, y1, x2, y2] = numbers as [number, number, number, number]
  return checkedBox({ x1, y1, x2, y2 })
}

/** The box, rounded, if it can hold a face; else what is wrong with it. */
export function checkedBox(corners: Box): Box | string {
  const box = rounded(corners)
  if (width(box) <= 0 || height(box) <= 0) return 'In a box, x2 is greater than x1 and y2 greater than y1.'
  if (shorterSide(box) < LIMITS.faceSide)
    return `A face has at least ${LIMITS.faceSide} x ${LIMITS.faceSide} pixels.`
  return box
}

/** Four coordinates in a row are one box; any other array is a list of boxes. */
const asList = (value: unknown): unknown[] =>
  Array.isArray(value) && !(value.length === 4 && value.every(isScalar)) ? value : [value]

const isScalar = (value: unknown): boolean => typeof value === 'number' || !Number.isNaN(asNumber(value))

const asNumber = (value: unknown): number => {
  if (typeof value === 'number') return value
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN
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
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}
