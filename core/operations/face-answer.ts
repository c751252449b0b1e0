/** Maps stored faces to the faces of responses. */
import { boxOf } from '../../contract/model/bbox.ts'
import type { Face } from '../../contract/model/face.ts'
import { DEFAULT_GALLERY } from '../../contract/model/gallery.ts'
import { omitNull } from '../../contract/omit-undefined.ts'
import { timestampText } from '../../contract/timestamps.ts'
import { friendRule } from '../metadata/faces/event-conditions.ts'
import { facesById, type StoredFace } from '../metadata/faces/faces.ts'
import { pictureLink } from '../pictures/links.ts'
import type { PictureKind } from '../pictures/pictures.ts'
import type { Services } from './services.ts'

/** The owner's faces with these ids, by id and in the order of `ids`. Ids without a face are left out. */
export async function faceAnswers(
  services: Services,
  owner: string,
  ids: readonly number[],
): Promise<Map<number, Face>> {
  const faces = await facesById(services.database, friendRule(services), owner, ids)
  return new Map(
    ids.flatMap(id => {
      const face = faces.get(id)
      return face ? [[id, faceAnswer(services, face)]] : []
    }),
  )
}

/** The candidate of a face without a person. Empty when the candidate was deleted. */
export const candidateAnswer = ({
  personId,
  candidate: id,
  candidateConfidence: confidence,
  candidateMeta: meta,
}: Omit<StoredFace, 'galleries'>): Pick<Face, 'candidate'> =>
  personId === null && id !== null && confidence !== null && meta !== null
    ? { candidate: { person: { id, meta }, confidence } }
    : {}

/** Face of the contract. Links are paths whose lifetime starts now. Fields that are not set are absent. */
export function faceAnswer({ links, now }: Pick<Services, 'links' | 'now'>, face: StoredFace): Face {
  const { age, gender, emotions, quality, liveness, review } = face
  const link = (kind: PictureKind) => pictureLink(links(), face, kind, now())
  const picture = (kind: PictureKind) => (face.pictured ? link(kind) : '')
  return {
    id: face.id,
    timestamp: timestampText(face.timestamp),
    photo: face.photo,
    photo_hash: face.photoHash,
    thumbnail: picture('thumbnail'),
    normalized: picture('normalized'),
    ...boxOf(face),
    meta: face.meta,
    galleries: [DEFAULT_GALLERY, ...face.galleries.toSorted()],
    friend: face.friend,
    ...(face.snapshot && { snapshot: link('snapshot') }),
    ...(face.clip && { clip: link('clip') }),
    ...candidateAnswer(face),
    ...omitNull({
      person_id: face.personId,
      cam_id: face.camera,
      detector_info: face.detectorInfo,
      age,
      gender,
      emotions,
      quality,
      liveness,
      review,
      silent: face.silent || null,
    }),
  }
}
