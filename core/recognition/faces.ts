/** Stored faces: read one by one or in pages, and deleted. */
import { ServiceError } from '../contract/errors.ts'
import type { Answer, Question } from '../contract/wire.ts'
import { deleteFace, faceById, facePage } from '../metadata/faces.ts'
import { faceAnswer } from './face-answer.ts'
import type { Parts } from './parts.ts'
import { removeTraces } from './traces.ts'

export async function getFace(
  parts: Parts,
  { owner, id }: Question<'face.get'>,
): Promise<Answer<'face.get'>> {
  const face = await faceById(parts.database, owner, id)
  if (!face) throw new ServiceError('NOT_FOUND')
  return { face: faceAnswer(parts, face) }
}

export async function listFaces(
  parts: Parts,
  { owner, ...request }: Question<'faces.page'>,
): Promise<Answer<'faces.page'>> {
  const { faces, newer, older } = await facePage(parts.database, owner, request)
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
