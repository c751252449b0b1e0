/** Deletions: a face, those with one meta, or a gallery with those in it; with their vectors and pictures. */
import { badParam, ServiceError } from '../contract/errors.ts'
import { DEFAULT_GALLERY } from '../contract/gallery.ts'
import { LIMITS } from '../contract/limits.ts'
import type { Answer, Question } from '../contract/wire.ts'
import { deleteFaces, deleteSomeOfGallery } from '../metadata/deletions.ts'
import { type FaceFilter, nextFaceIds } from '../metadata/faces.ts'
import { giveUpGallery, goingGalleries } from '../metadata/galleries.ts'
import type { Parts } from './parts.ts'
import { type Noting, noted } from './settle.ts'

/** Deletes a face. Once its row is gone it is found no more, whatever happens next. */
export async function forgetFace(
  parts: Parts,
  { owner, id }: Question<'face.delete'>,
): Promise<Answer<'face.delete'>> {
  await reachAll(parts, owner, { id })
  const deleted = await noted(parts, work => deleteFaces(parts.database, work, owner, { id }))
  if (!deleted) throw new ServiceError('NOT_FOUND')
  return {}
}

/** The same for every face with exactly this meta; that there is none is no error. */
export async function forgetFacesWithMeta(
  parts: Parts,
  { owner, meta }: Question<'faces.delete-with-meta'>,
): Promise<Answer<'faces.delete-with-meta'>> {
  await reachAll(parts, owner, { meta })
  await noted(parts, work => deleteFaces(parts.database, work, owner, { meta }))
  return {}
}

/** Deletes the gallery and the faces in it: from every gallery. */
export async function deleteGallery(
  parts: Parts,
  { owner, gallery }: Question<'gallery.delete'>,
): Promise<Answer<'gallery.delete'>> {
  if (gallery === DEFAULT_GALLERY) {
    throw badParam('gallery', gallery, 'The gallery "default" cannot be deleted.')
  }
  await reachAll(parts, owner, { gallery })
  if (!(await giveUpGallery(parts.database, owner, gallery))) throw new ServiceError('NOT_FOUND')
  await deleteGoing(parts, { owner, name: gallery })
  return {}
}

/** Brings the deletion of galleries to its end that a crash or a failure broke off; says how many there were. */
export async function finishGalleries(parts: Noting): Promise<number> {
  const going = await goingGalleries(parts.database)
  for (const gallery of going) await deleteGoing(parts, gallery)
  return going.length
}

/**
 * Deletes what is in a gallery that was given up, some faces at a time: one transaction for a hundred thousand would
 * keep everybody waiting. The given-up gallery sees to it that the rest follows, whatever comes between.
 */
const deleteGoing = (parts: Noting, gallery: { owner: string; name: string }): Promise<void> =>
  noted(parts, async work => {
    while (await deleteSomeOfGallery(parts.database, work, gallery, LIMITS.settleStride));
  })

/** Rejects with StoreAway when the vectors of one of these faces could not be removed now. */
async function reachAll({ database, vectors }: Parts, owner: string, doomed: FaceFilter): Promise<void> {
  for (let above = -1; ; ) {
    const ids = await nextFaceIds(database, owner, doomed, above, LIMITS.settleStride)
    const last = ids.at(-1)
    if (last === undefined) return
    await vectors.reach(ids)
    above = last
  }
}
