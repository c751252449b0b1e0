/** Stored faces: read one by one or in pages, and deleted one by one or by their meta. */
import { ServiceError } from '../contract/errors.ts'
import type { Answer, Question } from '../contract/wire.ts'
import { deleteFace, deleteFacesWithMeta, faceById, facePage } from '../metadata/faces.ts'
import { faceAnswer } from './face-answer.ts'
import { friendRule } from './friends.ts'
import { galleryFilter } from './galleries.ts'
import type { Parts } from './parts.ts'
import { removeTraces } from './traces.ts'

export async function getFace(
  parts: Parts,
  { owner, id }: Question<'face.get'>,
): Promise<Answer<'face.get'>> {
  const face = await faceById(parts.database, friendRule(parts), owner, id)
  if (!face) throw new ServiceError('NOT_FOUND')
  return { face: faceAnswer(parts, face) }
}

export async function listFaces(
  parts: Parts,
  { owner, gallery, ...request }: Question<'faces.page'>,
): Promise<Answer<'faces.page'>> {
  const filter = await galleryFilter(parts, owner, gallery)
  const { faces, newer, older } = await facePage(parts.database, friendRule(parts), owner, {
    ...request,
    ...filter,
  })
  return { faces: faces.map(face => faceAnswer(parts, face)), newer, older }
}

/** Deletes a face, its vectors and its pictures. Once its row is gone it is found no more, whatever happens next. */
export async function forgetFace(
  parts: Parts,
  { owner, id }: Question<'face.delete'>,
): Promise<Answer<'face.delete'>> {
  const face = await deleteFace(parts.database, owner, id)
  if (!face) throw new ServiceError('NOT_FOUND')
  await removeTraces(parts, [face])
  return {}
}

/** The same for every face with exactly this meta; that there is none is no error. */
export async function forgetFacesWithMeta(
  parts: Parts,
  { owner, meta }: Question<'faces.delete-with-meta'>,
): Promise<Answer<'faces.delete-with-meta'>> {
  await removeTraces(parts, await deleteFacesWithMeta(parts.database, owner, meta))
  return {}
}
