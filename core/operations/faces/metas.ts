/** Metas: a page of metas with face counts, and the faces with one meta. */
import { FACE_LIMITS } from '../../../contract/limits/faces.ts'
import type { Face } from '../../../contract/model/face.ts'
import type { RpcRequest, RpcResponse, StreamRequest } from '../../../contract/operations/messages.ts'
import { friendRule } from '../../metadata/faces/event-conditions.ts'
import { facePage } from '../../metadata/faces/faces.ts'
import { metaPage } from '../../metadata/faces/metas.ts'
import { faceAnswer, faceAnswers } from '../face-answer.ts'
import { galleryFilter } from '../galleries/galleries.ts'
import type { Services } from '../services.ts'

/** One page of metas with counts and first faces. Throws NOT_FOUND when the gallery does not exist. */
export async function listMetas(
  services: Services,
  { owner, gallery, ...request }: RpcRequest<'metas.page'>,
): Promise<RpcResponse<'metas.page'>> {
  const filter = await galleryFilter(services, owner, gallery)
  const page = await metaPage(services.database, owner, { ...request, ...filter })
  const firsts = page.metas.map(({ first }) => first)
  const faces = new Map((await faceAnswers(services, owner, firsts)).map(face => [face.id, face]))
  return {
    ...page,
    metas: page.metas.flatMap(({ meta, count, first }) => {
      const face = faces.get(first)
      // Undefined: the face was deleted between the two queries.
      return face ? [{ meta, count, face }] : []
    }),
  }
}

/** Yields all faces with exactly this meta in chunks, newest first. Throws NOT_FOUND when the gallery does not exist. */
async function* facesWithMeta(
  services: Services,
  { owner, meta, gallery }: StreamRequest<'faces.with-meta'>,
): AsyncGenerator<Face[], Record<string, never>> {
  const filter = { meta, ...(await galleryFilter(services, owner, gallery)) }
  for (let maxId: number | undefined; ; ) {
    const request = { ...filter, maxId, limit: FACE_LIMITS.streamChunk }
    const { faces, older } = await facePage(services.database, friendRule(services), owner, request)
    if (faces.length > 0) yield faces.map(face => faceAnswer(services, face))
    if (!older) return {}
    maxId = faces.at(-1)?.id
  }
}

export const metaHandlers = {
  'metas.page': listMetas,
  'faces.with-meta': facesWithMeta,
}
