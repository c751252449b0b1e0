/** Selects the faces of a photo that a request is about, and sorts faces in reading order. */
import { badParam, ERRORS, ServiceError } from '../contract/errors.ts'
import { PHOTO_LIMITS } from '../contract/limits/photos.ts'
import { areaOn, type Box, roundBox, shorterSide } from '../contract/model/bbox.ts'
import type { Selection } from '../contract/model/photo-analysis.ts'
import type { Size } from './imaging/geometry.ts'

/** The photo that faces are selected on: its upright size, the name of its parameter, and why it has no faces. */
interface SelectionPlace {
  photo: Size
  param: string
  reason?: string
}

/**
 * The faces that the selector chooses, in the given order; of equally big faces the first. Throws NO_FACES
 * with `reason` when there are no faces and the selector is not `any`. Throws TOO_MANY_FACES with all boxes when `reject`
 * meets more than one face.
 */
export function selectFaces<Face extends { readonly box: Box }>(
  faces: readonly Face[],
  selector: Selection['selector'],
  { photo, param, reason = noneReason(param) }: SelectionPlace,
): readonly Face[] {
  if (faces.length === 0 && selector !== 'any') throw new ServiceError('NO_FACES', { param, reason })
  switch (selector) {
    case 'all':
    case 'any':
      return faces
    case 'biggest': {
      // The boxes of the response decide: callers can check the choice.
      const size = ({ box }: Face) => areaOn(roundBox(box), photo)
      return [faces.reduce((big, face) => (size(face) > size(big) ? face : big))]
    }
    case 'reject':
      if (faces.length > 1) throw tooMany(faces)
      return faces
  }
}

/**
 * The selected faces that are cut out first: all of few, the first ones of many, and none of more than `most`. Throws
 * TOO_MANY_FACES for many faces without `most`.
 */
export function firstGroup<Face extends { readonly box: Box }>(
  faces: readonly Face[],
  most?: number,
): readonly Face[] {
  const isGrouped = faces.length > PHOTO_LIMITS.ungroupedFaces
  if (most === undefined && isGrouped) throw tooMany(faces)
  if (most !== undefined && faces.length > most) return []
  return isGrouped ? faces.slice(0, PHOTO_LIMITS.facesPerGroup) : faces
}

/** The beginning of a sentence about one of several photos. */
const about = (param: string) => (param === 'photo' ? '' : `${param}: `)

const noneReason = (param: string) =>
  param === 'photo' ? ERRORS.NO_FACES.reason : `${about(param)}no face was found.`

/** Why a photo with only these faces has none to select: the numbers of too poor and of too small faces. */
export function noFacesReason(
  tooPoor: number,
  tooSmall: readonly { readonly box: Box }[],
  param: string,
): string | undefined {
  const bbox = param.replace('photo', 'bbox')
  const [faces, them] = tooPoor === 1 ? ['1 face is', 'it'] : [`${tooPoor} faces are`, 'them']
  const reasons: string[] = []
  if (tooPoor > 0)
    reasons.push(`${faces} too poor to recognise; name ${them} by ${bbox} to use ${them} all the same.`)
  if (tooSmall.length > 0) reasons.push(tooSmallReason(tooSmall, bbox))
  return reasons.length > 0 ? about(param) + reasons.join(' ') : undefined
}

function tooSmallReason(faces: readonly { readonly box: Box }[], bbox: string) {
  const least = PHOTO_LIMITS.faceSide
  const largest = Math.floor(Math.max(...faces.map(({ box }) => shorterSide(box))))
  const seen =
    faces.length === 1
      ? `1 face is smaller than ${least} px (${largest} px).`
      : `${faces.length} faces are smaller than ${least} px (largest ${largest} px).`
  return `${seen} Send a photo of higher resolution, or boxes of at least ${least} x ${least} px in \`${bbox}\`.`
}

const tooMany = (faces: readonly { readonly box: Box }[]) =>
  new ServiceError('TOO_MANY_FACES', { faces: faces.map(({ box }) => roundBox(box)) })

/** Throws BAD_PARAM when a box of the caller does not overlap the upright photo. */
export function assertBoxesInside({ boxes, boxesParam = 'bbox' }: Selection, photo: Size): void {
  const outside = boxes.find(
    ({ x1, y1, x2, y2 }) => x2 <= 0 || y2 <= 0 || x1 >= photo.width || y1 >= photo.height,
  )
  if (outside)
    throw badParam(boxesParam, outside, `This box is outside the photo of ${photo.width} x ${photo.height}.`)
}

const middle = ({ y1, y2 }: Box) => (y1 + y2) / 2

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
