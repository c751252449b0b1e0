/** Which of the faces on a photo a request means. */
import { area, type Box, rounded } from '../core/contract/bbox.ts'
import { ServiceError } from '../core/contract/errors.ts'
import type { Selection } from '../core/contract/selector.ts'

/**
 * The faces that the selector means, in the order given. Throws NO_FACES when there are none (`param` is the name of the
 * photo's parameter), and TOO_MANY_FACES with all boxes when `reject` meets more than one.
 */
export function selected<Face extends { readonly box: Box }>(
  faces: readonly Face[],
  selector: Selection['selector'],
  param: string,
): readonly Face[] {
  if (faces.length === 0) throw new ServiceError('NO_FACES', { param })
  switch (selector) {
    case 'all':
      return faces
    case 'biggest':
      return [faces.reduce((biggest, face) => (area(face.box) > area(biggest.box) ? face : biggest))]
    case 'reject':
      if (faces.length > 1)
        throw new ServiceError('TOO_MANY_FACES', { faces: faces.map(({ box }) => rounded(box)) })
      return faces
  }
}
