/** Metas: listed with their faces counted, and the faces that carry one. */
import type { Face } from '../contract/face.ts'
import { LIMITS } from '../contract/limits.ts'
import type { StreamQuestion } from '../contract/streams.ts'
import type { Answer, Question } from '../contract/wire.ts'
import { facePage } from '../metadata/faces.ts'
import { metaPage } from '../metadata/metas.ts'
import { faceAnswer, faceAnswers } from './face-answer.ts'
import { friendRule } from './friends.ts'
import { galleryFilter } from './galleries.ts'
import type { Parts } from './parts.ts'

export async function listMetas(
  parts: Parts,
  { owner, gallery, ...request }: Question<'metas.page'>,
): Promise<Answer<'metas.page'>> {
  const filter = await galleryFilter(parts, owner, gallery)
  const page = await metaPage(parts.database, owner, { ...request, ...filter })
  const firsts = page.metas.map(({ first }) => first)
  const faces = new Map((await faceAnswers(parts, owner, firsts)).map(face => [face.id, face]))
  return {
    ...page,
    metas: page.metas.flatMap(({ meta, count, first }) => {
      const face = faces.get(first)
      // Without one, the face was deleted between the two queries.
      return face ? [{ meta, count, face }] : []
    }),
  }
}

/** All faces with exactly this meta, newest first, some at a time. Throws NOT_FOUND when the gallery does not exist. */
export async function* facesWithMeta(
  parts: Parts,
  { owner, meta, gallery }: StreamQuestion<'faces.with-meta'>,
): AsyncGenerator<Face[], Record<string, never>> {
  const filter = { meta, ...(await galleryFilter(parts, owner, gallery)) }
  for (let maxId: number | undefined; ; ) {
    const request = { ...filter, maxId, limit: LIMITS.streamChunk }
    const { faces, older } = await facePage(parts.database, friendRule(parts), owner, request)
    if (faces.length > 0) yield faces.map(face => faceAnswer(parts, face))
    if (!older) return {}
    maxId = faces.at(-1)?.id
  }
}
