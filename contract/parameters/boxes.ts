/** Parses boxes: one object, one array of 4 numbers, an array of either, or the JSON text of any of these. */
import { PHOTO_LIMITS } from '../limits/photos.ts'
import { type Box, height, roundBox, shorterSide, width } from '../model/bbox.ts'
import { asNumber } from './fields.ts'
import { parsedText } from './json-text.ts'

/** Maximum absolute value of a coordinate in pixels, far outside any photo. */
const MAX_COORDINATE = 1_000_000

/** Phrases for error messages: the expected value. */
const A_BOX = '4 numbers x1,y1,x2,y2 with x2 > x1 and y2 > y1'
const A_NEAR_BOX = `4 numbers from -${MAX_COORDINATE} to ${MAX_COORDINATE}`
const A_LARGE_BOX = `${A_BOX}, at least ${PHOTO_LIMITS.faceSide} pixels wide and high`
const fewBoxes = (count: number) =>
  `at most ${PHOTO_LIMITS.selectedFaces} boxes in one request (these are ${count}: send them in parts)`

/** The boxes; empty for "", [], null and undefined. For an invalid value a phrase that states the expected value. */
export function parseBoxes(value: unknown): Box[] | string {
  const given = fromText(onlyElement(value))
  if (given === undefined || given === null || given === '') return []
  const list = asList(given)
  if (list.length > PHOTO_LIMITS.selectedFaces) return fewBoxes(list.length)
  const boxes: Box[] = []
  for (const item of list) {
    const box = parseBox(item)
    if (typeof box === 'string') return box
    boxes.push(box)
  }
  return boxes
}

/** The only element of a list with one text: clients send an empty list or the JSON of all boxes as `bbox[]`. */
const onlyElement = (value: unknown) =>
  Array.isArray(value) && value.length === 1 && typeof value[0] === 'string' ? value[0] : value

/** A box in whole pixels, large enough for a face; or the expected value, as a phrase. */
function parseBox(value: unknown): Box | string {
  const corners = cornersOf(fromText(value))
  if (!corners) return A_BOX
  const [x1, y1, x2, y2] = corners.map(asNumber) as [number, number, number, number]
  return checkedBox({ x1, y1, x2, y2 })
}

/** The box in whole pixels if both sides have at least PHOTO_LIMITS.faceSide; otherwise the expected value, as a phrase. */
export function checkedBox(corners: Box): Box | string {
  if (!Object.values(corners).every(corner => Math.abs(corner) <= MAX_COORDINATE)) return A_NEAR_BOX
  const box = roundBox(corners)
  if (width(box) <= 0 || height(box) <= 0) return A_BOX
  return shorterSide(box) < PHOTO_LIMITS.faceSide ? A_LARGE_BOX : box
}

/** An array of four coordinates is one box; any other array is a list of boxes. */
function asList(value: unknown): unknown[] {
  if (!Array.isArray(value) || (value.length === 4 && areCoordinates(value))) return [value]
  const [only] = value
  // Ruby encodes [[1, 2, 3, 4], [5, 6, 7, 8]] as repeated bbox[][]=1 fields: all coordinates arrive in one list.
  return value.length === 1 && areCoordinates(only) ? inFours(only) : value
}

/** True for a non-empty list of coordinates in groups of four. */
const areCoordinates = (value: unknown): value is unknown[] =>
  Array.isArray(value) && value.length > 0 && value.length % 4 === 0 && value.every(isScalar)

const inFours = (coordinates: unknown[]) =>
  Array.from({ length: coordinates.length / 4 }, (_, i) => coordinates.slice(4 * i, 4 * i + 4))

const isScalar = (value: unknown) => typeof value === 'number' || !Number.isNaN(asNumber(value))

function cornersOf(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value.length === 4 ? value : undefined
  if (typeof value !== 'object' || value === null) return undefined
  const { x1, y1, x2, y2 } = value as Record<string, unknown>
  return [x1, y1, x2, y2]
}

/** Parses JSON text. Other values stay unchanged; invalid JSON stays text and is rejected as a box later. */
function fromText(value: unknown): unknown {
  const parsed = parsedText(value)
  return parsed === undefined ? value : parsed
}
