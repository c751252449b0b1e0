/** A chosen photo on the page: the file, an address that shows it, and the places of faces on it. */
import { useEffect, useState } from 'preact/hooks'
import { type Box, boxOf, type DetectedFace } from '../../clients/typescript/src/index.ts'
import { PHOTO_LIMITS } from '../../contract/limits/photos.ts'

export interface ShownPhoto {
  file: File
  /** Address of the file within the page. */
  src: string
  /** Pixels of the upright photo; undefined until the browser has read it. */
  size: Size | undefined
}

/** The photo of a file. Its address ends with the component, and with the file. */
export function useShownPhoto(file: File | undefined): ShownPhoto | undefined {
  const [photo, setPhoto] = useState<ShownPhoto>()
  useEffect(() => {
    if (!file) return setPhoto(undefined)
    const src = URL.createObjectURL(file)
    let isCurrent = true
    setPhoto({ file, src, size: undefined })
    const image = new Image()
    image.onload = () => {
      const size = { width: image.naturalWidth, height: image.naturalHeight }
      if (isCurrent) setPhoto({ file, src, size })
    }
    image.src = src
    return () => {
      isCurrent = false
      URL.revokeObjectURL(src)
    }
  }, [file])
  return photo
}

export interface Size {
  width: number
  height: number
}

/** Least overlap of two boxes of the same face: intersection over union. */
const SAME_FACE = 0.5

const area = ({ x1, y1, x2, y2 }: Box) => Math.max(0, x2 - x1) * Math.max(0, y2 - y1)

/** Intersection over union, 0..1. */
export function overlap(a: Box, b: Box): number {
  const shared = area({
    x1: Math.max(a.x1, b.x1),
    y1: Math.max(a.y1, b.y1),
    x2: Math.min(a.x2, b.x2),
    y2: Math.min(a.y2, b.y2),
  })
  return shared === 0 ? 0 : shared / (area(a) + area(b) - shared)
}

/**
 * Index of the face that the service takes with `mf_selector=biggest`: the largest part on the photo, of the faces that are not too
 * poor. -1: the service takes none.
 */
export function takenFace(faces: readonly DetectedFace[], { width, height }: Size): number {
  const least = PHOTO_LIMITS.recognisable
  const sizes = faces.map(({ x1, y1, x2, y2, quality: { score = 1, quality = 1 } = {} }) =>
    score < least.score && quality < least.quality
      ? 0
      : area({ x1: Math.max(0, x1), y1: Math.max(0, y1), x2: Math.min(width, x2), y2: Math.min(height, y2) }),
  )
  return sizes.indexOf(Math.max(1, ...sizes))
}

/** The entry of an answer of identify that belongs to a detected face. Undefined when the search left the face out. */
export function entryAt<T>(results: Readonly<Record<string, T>>, face: Box): T | undefined {
  const [best] = Object.entries(results)
    .map(([key, entry]) => ({ entry, overlap: overlap(boxOf(key), face) }))
    .sort((a, b) => b.overlap - a.overlap)
  return best && best.overlap >= SAME_FACE ? best.entry : undefined
}

/** The part of a box on the photo, as a CSS place in percent of the photo. */
export function placeOf({ x1, y1, x2, y2 }: Box, { width, height }: Size) {
  const [left, right] = [Math.max(0, x1), Math.min(width, x2)]
  const [top, bottom] = [Math.max(0, y1), Math.min(height, y2)]
  return {
    left: `${(100 * left) / width}%`,
    top: `${(100 * top) / height}%`,
    width: `${(100 * Math.max(0, right - left)) / width}%`,
    height: `${(100 * Math.max(0, bottom - top)) / height}%`,
  }
}

/** Share of the box that a crop shows around it on each side. */
const CROP_MARGIN = 0.2

/** Style of a photo in a square frame that shows the box and a margin around it. */
export function cropStyle({ x1, y1, x2, y2 }: Box, { width, height }: Size) {
  const side = Math.max(x2 - x1, y2 - y1) * (1 + 2 * CROP_MARGIN)
  const [left, top] = [(x1 + x2 - side) / 2, (y1 + y2 - side) / 2]
  return {
    width: `${(100 * width) / side}%`,
    height: `${(100 * height) / side}%`,
    left: `${(-100 * left) / side}%`,
    top: `${(-100 * top) / side}%`,
  }
}
