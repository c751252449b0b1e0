/** Replaces the picture, the vector and the data of a face by the data of a better picture of the same visit. Its id stays. */
import { badParam, ServiceError } from '../../../contract/errors.ts'
import type { Change } from '../../../contract/operations/messages.ts'
import { beginWriting } from '../../metadata/connection/change.ts'
import { commitUpdate, rememberedAnswer } from '../../metadata/face-changes/enrolments.ts'
import { friendRule } from '../../metadata/faces/event-conditions.ts'
import { type FaceRow, faceById } from '../../metadata/faces/faces.ts'
import { recordIntents } from '../../metadata/faces/intents.ts'
import type { FacePictures } from '../../pictures/encode.ts'
import { vectorKeys } from '../consistency/face-vectors.ts'
import { withIntent } from '../consistency/intent-log.ts'
import { assignPersons, isPoor } from '../persons/assign.ts'
import type { Services } from '../services.ts'
import { oldestKeptTime } from './repeated-enrolment.ts'

/**
 * The id of the face that an earlier, different request with the key stored; undefined without one, and for a repetition. Throws
 * BAD_PARAM without a key, and unless both requests have one face of a camera.
 */
export async function faceToUpdate(
  services: Services,
  { owner, idempotency, camera }: Pick<Change<'enrol'>, 'owner' | 'idempotency' | 'camera'>,
  count: number,
): Promise<number | undefined> {
  if (!idempotency || count !== 1 || camera === undefined)
    throw badParam(
      'update',
      true,
      'An update needs an Idempotency-Key, a cam_id and a photo with one selected face.',
    )
  const { key, requestHash } = idempotency
  const first = await rememberedAnswer(services.database, { owner, key, since: oldestKeptTime(services) })
  if (!first || first.requestHash === requestHash) return undefined
  if (first.faces.length !== 1) throw badParam('Idempotency-Key', key, 'This key has several faces.')
  return first.faces[0]
}

interface Update {
  /** The new row, with the id of the stored face. */
  face: FaceRow
  embedding: Float32Array
  pictures: FacePictures
}

/**
 * Order of writes: an intent, the pictures, the vectors, then the metadata in one transaction. After a crash the parts may be of
 * two pictures of one visit: the client repeats its request. The earlier snapshot is removed last. The intent removes data that is
 * written during a deletion of the face. A clear picture stays when the new one is poor, for example covered. Throws NOT_FOUND for
 * a deleted face.
 */
export const updateEnrolled = (
  services: Services,
  { owner, idempotency }: Change<'enrol'>,
  { face, embedding, pictures }: Update,
): Promise<void> =>
  services.ownerLock(owner, revision =>
    withIntent(services, async work => {
      const { database, vectors, pictures: files, keep, options } = services
      const stored = await faceById(database, friendRule(services), owner, face.id)
      // A token that may only post changes no face of another camera.
      if (!stored || stored.camera !== face.camera) throw new ServiceError('NOT_FOUND')
      if (isPoor(face) && !isPoor(stored)) return
      const { meta, personId, confirmed, candidate, candidateConfidence, camera, review, clip } = stored
      // The box is on the new photo: the snapshot of the earlier one no longer fits.
      const known = { meta, personId, confirmed, candidate, candidateConfidence, camera, review, clip }
      const row: FaceRow = { ...face, ...known }
      const isAssigned = options.person_identify && personId === null
      const { faces, persons } = isAssigned
        ? await assignPersons(services, owner, [{ face: row, embedding }])
        : { faces: [row], persons: [] }
      const [updated] = faces
      await vectors.reach([face.id])
      await recordIntents(database, work, [stored])
      beginWriting()
      if (keep.pictures) await files.write([{ ...row, ...pictures }])
      const entries = vectorKeys(stored).map(key => ({ ...key, vector: embedding }))
      await vectors.add(entries, { replaces: true })
      const movesAlerts = isAssigned && updated!.meta === ''
      const change = { face: updated!, persons, movesAlerts, revision, answer: idempotency! }
      if (!(await commitUpdate(database, change))) throw new ServiceError('NOT_FOUND')
      // Links to it are valid for a day. It may have been stored after the row was read.
      await files.remove([stored], ['snapshot'])
    }),
  )
