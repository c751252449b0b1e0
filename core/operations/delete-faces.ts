/** Deletions: a face, those with one meta, those of a person, or those in a gallery; with their vectors and pictures. */
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { badParam, ServiceError } from '../contract/errors.ts'
import { LIMITS } from '../contract/limits.ts'
import { DEFAULT_GALLERY } from '../contract/model/gallery.ts'
import type { Answer, Change } from '../contract/rpc/operations.ts'
import { deleteFaces, deleteSomeOfGallery } from '../metadata/queries/deletions.ts'
import { type FaceFilter, nextFaceIds } from '../metadata/queries/faces.ts'
import { giveUpGallery, goingGalleries, nextMembers } from '../metadata/queries/galleries.ts'
import type { IntentWork } from '../metadata/queries/intents.ts'
import { deletePersons } from '../metadata/queries/persons.ts'
import { type IntentServices, withIntent } from './consistency/intent-log.ts'
import { galleryFilter } from './galleries.ts'
import type { Services } from './services.ts'

/** Deletes a face. Once its row is gone it is found no more, whatever happens next. */
export async function deleteFace(
  services: Services,
  { owner, id }: Change<'face.delete'>,
): Promise<Answer<'face.delete'>> {
  if ((await forget(services, owner, { id })).length === 0) throw new ServiceError('NOT_FOUND')
  return {}
}

/** The same for every face with exactly this meta, in one gallery when it is named; that there is none is no error. */
export async function deleteFacesWithMeta(
  services: Services,
  { owner, meta, gallery }: Change<'faces.delete-with-meta'>,
): Promise<Answer<'faces.delete-with-meta'>> {
  const filter = await galleryFilter(services, owner, gallery)
  return { faces: await forget(services, owner, { meta, ...filter }) }
}

/** Deletes a person, and every face of theirs. */
export async function deletePerson(
  services: Services,
  { owner, id }: Change<'person.delete'>,
): Promise<Answer<'person.delete'>> {
  const faces = await forget(services, owner, { person: id })
  if ((await deletePersons(services.database, owner, [id])) === 0) throw new ServiceError('NOT_FOUND')
  return { faces }
}

/** Ids of the faces that are gone. */
async function forget(services: Services, owner: string, which: FaceFilter): Promise<number[]> {
  const { database } = services
  await reachAll(services, (above, limit) => nextFaceIds(database, owner, which, above, limit))
  return withIntent(services, work => deleteFaces(database, work, owner, which))
}

/**
 * Deletes the gallery and the faces in it: from every gallery. It is gone for its owner at once. What then takes longer
 * than `answerMs` goes on behind the answer, and at the next start where need be.
 */
export async function deleteGallery(
  services: Services,
  { owner, gallery }: Change<'gallery.delete'>,
  answerMs: number = LIMITS.deletionAnswerMs,
): Promise<Answer<'gallery.delete'>> {
  const { database } = services
  if (gallery === DEFAULT_GALLERY) {
    throw badParam('gallery', gallery, 'The gallery "default" cannot be deleted.')
  }
  await reachAll(services, (above, limit) => nextMembers(database, owner, gallery, above, limit))
  if (!(await giveUpGallery(database, owner, gallery))) throw new ServiceError('NOT_FOUND')
  const deletion = deleteGoing(services, { owner, name: gallery })
  deletion.catch(() => {})
  await Promise.race([deletion, sleep(answerMs, undefined, { ref: false })])
  return {}
}

/** Brings the deletion of galleries to its end that a crash or a failure broke off; says how many there were. */
export async function finishGalleryDeletions(services: IntentServices): Promise<number> {
  const going = await goingGalleries(services.database)
  for (const gallery of going) await deleteGoing(services, gallery)
  return going.length
}

/**
 * Deletes what is in a gallery that was given up, some faces at a time: one transaction for a hundred thousand would
 * keep everybody waiting. The given-up gallery sees to it that the rest follows, whatever comes between.
 */
const deleteGoing = (services: IntentServices, gallery: { owner: string; name: string }): Promise<void> =>
  deleteInBatches(services, { owner: gallery.owner, because: 'gallery.delete' }, work =>
    deleteSomeOfGallery(services.database, work, gallery, LIMITS.settleStride),
  )

/** Deletes some faces of an owner after the other, until there are none left, and writes down which. */
export const deleteInBatches = (
  services: IntentServices,
  why: { owner: string; because: string },
  deleteSome: (work: IntentWork) => Promise<number[]>,
): Promise<void> =>
  withIntent(services, async work => {
    // The database answers without letting anybody else have a turn.
    for (;;) {
      const faces = await services.diskSpace.deleting(() => deleteSome(work))
      if (faces.length === 0) return
      await recordDeletion(services, { ...why, faces })
      await setImmediate()
    }
  })

/** Writes down which faces the service itself has deleted, at most LIMITS.auditIds of them, and what it had been told. */
export const recordDeletion = (
  { record }: Pick<IntentServices, 'record'>,
  { owner, faces, because }: { owner: string; faces: readonly number[]; because: string },
): Promise<void> => record({ actor: 'service', action: 'faces.delete', owner, subject: { because, faces } })

/** Rejects with StoreUnavailable or PicturesUnavailable when the vectors of one of these faces, or any pictures, could not be removed now. */
async function reachAll(
  { vectors, pictures }: Pick<Services, 'vectors' | 'pictures'>,
  nextIds: (above: number, limit: number) => Promise<number[]>,
): Promise<void> {
  for (let above = -1; ; ) {
    const ids = await nextIds(above, LIMITS.settleStride)
    const last = ids.at(-1)
    if (last === undefined) return
    await pictures.reach()
    await vectors.reach(ids)
    await setImmediate()
    above = last
  }
}
