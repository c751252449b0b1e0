/** From a stored face to the face of an answer. */
import { boxOf } from '../contract/bbox.ts'
import type { Face } from '../contract/face.ts'
import { DEFAULT_GALLERY } from '../contract/gallery.ts'
import { timestampText } from '../contract/timestamps.ts'
import type { StoredFace } from '../metadata/faces.ts'
import { pictureLink } from '../pictures/links.ts'
import type { Parts } from './parts.ts'

/** The contract's Face: links to its pictures are paths, good from now on; what is not set is absent. */
export function faceAnswer({ links, now }: Pick<Parts, 'links' | 'now'>, face: StoredFace): Face {
  return {
    id: face.id,
    timestamp: timestampText(face.timestamp),
    photo: face.photo,
    photo_hash: face.photoHash,
    thumbnail: pictureLink(links, face, 'thumbnail', now()),
    normalized: pictureLink(links, face, 'normalized', now()),
    ...boxOf(face),
    meta: face.meta,
    galleries: [DEFAULT_GALLERY, ...face.galleries.toSorted()],
    friend: false,
    ...(face.personId === null ? {} : { person_id: face.personId }),
    ...(face.camera === null ? {} : { cam_id: face.camera }),
    ...(face.age === null ? {} : { age: face.age }),
    ...(face.gender === null ? {} : { gender: face.gender }),
    ...(face.emotions === null ? {} : { emotions: face.emotions }),
    ...(face.detectorInfo === null ? {} : { detector_info: face.detectorInfo }),
  }
}
