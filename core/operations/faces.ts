/** Stored faces: read one by one or in pages. */
import { ServiceError } from '../contract/errors.ts'
import type { Answer, Question } from '../contract/rpc/operations.ts'
import { faceById, facePage } from '../metadata/queries/faces.ts'
import { faceAnswer } from './face-answer.ts'
import { galleryFilter } from './galleries.ts'
import { friendRule } from './search/friends.ts'
import type { Services } from './services.ts'

export async function getFace(
  services: Services,
  { owner, id }: Question<'face.get'>,
): Promise<Answer<'face.get'>> {
  const face = await faceById(services.database, friendRule(services), owner, id)
  if (!face) throw new ServiceError('NOT_FOUND')
  return { face: faceAnswer(services, face) }
}

export async function listFaces(
  services: Services,
  { owner, gallery, ...request }: Question<'faces.page'>,
): Promise<Answer<'faces.page'>> {
  const filter = await galleryFilter(services, owner, gallery)
  const { faces, newer, older } = await facePage(services.database, friendRule(services), owner, {
    ...request,
    ...filter,
  })
  return { faces: faces.map(face => faceAnswer(services, face)), newer, older }
}
