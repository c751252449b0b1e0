/** Reads stored faces: one by id, or a page. */
import { ServiceError } from '../../contract/errors.ts'
import type { RpcRequest, RpcResponse } from '../../contract/rpc/operations.ts'
import { faceById, facePage } from '../metadata/queries/faces.ts'
import { faceAnswer } from './face-answer.ts'
import { galleryFilter } from './galleries.ts'
import { friendRule } from './search/friends.ts'
import type { Services } from './services.ts'

/** Throws NOT_FOUND when the owner does not have this face. */
export async function getFace(
  services: Services,
  { owner, id }: RpcRequest<'face.get'>,
): Promise<RpcResponse<'face.get'>> {
  const face = await faceById(services.database, friendRule(services), owner, id)
  if (!face) throw new ServiceError('NOT_FOUND')
  return { face: faceAnswer(services, face) }
}

/** One page of the faces that meet the filter, by descending id. Throws NOT_FOUND when the gallery does not exist. */
export async function listFaces(
  services: Services,
  { owner, gallery, filter: events, ...request }: RpcRequest<'faces.page'>,
): Promise<RpcResponse<'faces.page'>> {
  const scope = await galleryFilter(services, owner, gallery)
  const { faces, newer, older } = await facePage(services.database, friendRule(services), owner, {
    ...request,
    ...scope,
    events,
  })
  return { faces: faces.map(face => faceAnswer(services, face)), newer, older }
}

/** Handlers of this file by the names of their messages. */
export const faceHandlers = {
  'face.get': getFace,
  'faces.page': listFaces,
}
