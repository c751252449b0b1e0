/** Stored faces: read one by one or in pages. */
import { ServiceError } from '../contract/errors.ts'
import type { Answer, Question } from '../contract/rpc/operations.ts'
import { faceById, facePage } from '../metadata/queries/faces.ts'
import { faceAnswer } from './face-answer.ts'
import { galleryFilter } from './galleries.ts'
import { friendRule } from './search/friends.ts'
import type { Parts } from './services.ts'

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
