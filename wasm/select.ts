/** Which of the faces on a photo a request means. */

import { badParam, ServiceError } from '../core/contract/errors.ts'
import { LIMITS } from '../core/contract/limits.ts'
import { area, type Box, rounded } from '../core/contract/model/bbox.ts'
import type { Selection } from '../core/contract/model/selector.ts'

/**
 * The faces that the selector means, in the order given. Throws NO_FACES when there are none (`param` is the name of the
 * photo's parameter) and the selector is not `any`, and TOO_MANY_FACES with all boxes when `reject` meets more than one,
 * and `all` or `any` more than may be cut out of one photo.
 */
export function selectFaces<Face extends { readonly box: Box }>(
  faces: readonly Face[],
  selector: Selection['selector'],
  param: string,
): readonly Face[] {
  if (faces.length === 0 && selector !== 'any') throw new ServiceError('NO_FACES', { param })
  switch (selector) {
    case 'all':
    case 'any':
      if (faces.length > LIMITS.boxes) throw tooMany(faces)
      return faces
    case 'biggest':
      return [faces.reduce((biggest, face) => (area(face.box) > area(biggest.box) ? face : biggest))]
    case 'reject':
      if (faces.length > 1) throw tooMany(faces)
      return faces
  }
}

const tooMany = (faces: readonly { readonly box: Box }[]): ServiceError =>
  new ServiceError('TOO_MANY_FACES', { faces: faces.map(({ box }) => rounded(box)) })

/** Throws BAD_PARAM when one of the caller's boxes has no pixel of the upright photo in it. */
export function assertBoxesInside(
  { boxes, boxesParam = 'bbox' }: Selection,
  photo: { readonly width: number; readonly height: number },
): void {
  const outside = boxes.find(
    ({ x1, y1, x2, y2 }) => x2 <= 0 || y2 <= 0 || x1 >= photo.width || y1 >= photo.height,
  )
  if (outside)
    throw badParam(boxesParam, outside, `This box is outside the photo of ${photo.width} x ${photo.height}.`)
}
