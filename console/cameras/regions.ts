/** Regions of a camera: rectangles in pixels of its stream. */
import type { Size } from '../photos/photo.ts'

/** `[width, height, x, y]`, as the API has it. */
export type Region = [width: number, height: number, x: number, y: number]

/** The region of tracking and the region of interest. */
export const REGION_NAMES = ['rot', 'roi'] as const
export type RegionName = (typeof REGION_NAMES)[number]

export interface Point {
  x: number
  y: number
}

/** Picture size of a camera without a picture, unless its regions are larger. */
const USUAL_SIZE: Size = { width: 1280, height: 720 }

/** Smallest side of a drawn region in pixels. A click draws nothing. */
const SMALLEST_SIDE = 8

const clamp = (value: number, most: number) => Math.round(Math.min(Math.max(value, 0), most))

/** The region between two points, inside the picture. Undefined when it is too small. */
export function regionBetween(a: Point, b: Point, { width, height }: Size): Region | undefined {
  const [x1, x2] = [clamp(Math.min(a.x, b.x), width), clamp(Math.max(a.x, b.x), width)]
  const [y1, y2] = [clamp(Math.min(a.y, b.y), height), clamp(Math.max(a.y, b.y), height)]
  const isLarge = x2 - x1 >= SMALLEST_SIDE && y2 - y1 >= SMALLEST_SIDE
  return isLarge ? [x2 - x1, y2 - y1, x1, y1] : undefined
}

/** The region moved by an offset, and kept inside the picture. */
export function moveRegion([width, height, x, y]: Region, by: Point, size: Size): Region {
  const left = clamp(x + by.x, Math.max(0, size.width - width))
  const top = clamp(y + by.y, Math.max(0, size.height - height))
  return [width, height, left, top]
}

/** Size of a drawing surface without a picture: contains the regions. */
export function surfaceSize(regions: readonly (Region | undefined)[]): Size {
  const drawn = regions.filter(region => region !== undefined)
  return {
    width: Math.max(USUAL_SIZE.width, ...drawn.map(([width, , x]) => x + width)),
    height: Math.max(USUAL_SIZE.height, ...drawn.map(([, height, , y]) => y + height)),
  }
}

/** The region as a box. */
export const boxOfRegion = ([width, height, x, y]: Region) => ({
  x1: x,
  y1: y,
  x2: x + width,
  y2: y + height,
})

/** Texts of the four number fields of a region. */
export type RegionFields = [width: string, height: string, x: string, y: string]

export const EMPTY_FIELDS: RegionFields = ['', '', '', '']

export const fieldsOf = (region: readonly number[] | undefined): RegionFields =>
  region ? (region.map(String) as RegionFields) : EMPTY_FIELDS

/** The region of the fields; undefined without any number, null for fields that are no region. */
export function regionOf(fields: RegionFields): Region | undefined | null {
  if (fields.every(field => field.trim() === '')) return undefined
  const isWhole = fields.every(field => /^\d+$/.test(field.trim()))
  const region = fields.map(Number) as Region
  return isWhole && region[0] > 0 && region[1] > 0 ? region : null
}
