/** Enrolment: stores the faces of a photo, all or none. */
import { badParam, ServiceError } from '../../../contract/errors.ts'
import { PHOTO_LIMITS } from '../../../contract/limits/photos.ts'
import { type Attributes, firstRequested } from '../../../contract/model/attributes.ts'
import type { checkedEnrolment } from '../../../contract/model/enrolment.ts'
import type { Face } from '../../../contract/model/face.ts'
import type { Change, RpcRequest, RpcResponse } from '../../../contract/operations/messages.ts'
import type { Thumbnail } from '../../../wasm/imaging/thumbnail.ts'
import { assertInTime } from '../../metadata/connection/change.ts'
import { commitEnrolment, type Obstacle } from '../../metadata/face-changes/enrolments.ts'
import type { FaceRow } from '../../metadata/faces/faces.ts'
import { type IntentOperation, insertEnrolmentIntents, recordIntents } from '../../metadata/faces/intents.ts'
import { FOUNDING_QUALITY } from '../../metadata/persons/template-faces.ts'
import { IntentsTaken } from '../../metadata/revisions.ts'
import { encodePictures, type NormalizedPixels } from '../../pictures/encode.ts'
import { checkCamera } from '../cameras/cameras.ts'
import { vectorKeys } from '../consistency/face-vectors.ts'
import { withIntent } from '../consistency/intent-log.ts'
import { faceAnswers } from '../face-answer.ts'
import { checkGalleries, namedGalleries } from '../galleries/galleries.ts'
import {
  type Assigned,
  assignPersons,
  checkGivenPerson,
  givesPerson,
  withGivenPerson,
} from '../persons/assign.ts'
import { retryOnShardLoss } from '../search/closest/live-shards.ts'
import type { Services } from '../services.ts'
import type { PreparedFace } from './preparations.ts'
import { oldestKeptTime, repeatedEnrolment } from './repeated-enrolment.ts'
import { faceToUpdate, updateEnrolled } from './update-enrolled.ts'

/** Pictures of a face when none are stored. */
const NO_PICTURES = { thumbnail: new Uint8Array(), normalized: new Uint8Array() }

/** Chip and thumbnail of one face. */
export interface FacePixels {
  chip: NormalizedPixels
  thumbnail: Thumbnail
}

/**
 * Stores the faces of one photo. `pixels` has the order of `request.faces`.
 *
 * Order of writes: intents, pictures, vectors, then the metadata in one transaction. Faces exist only after this transaction. After
 * an earlier failure, reconciliation removes pictures and vectors. If the face gets a person, the choice of the person, the vectors
 * and the transaction run under the lock of the owner.
 */
export async function enrol(
  services: Services,
  request: Change<'enrol'>,
  pixels: readonly FacePixels[],
): Promise<RpcResponse<'enrol'>> {
  const { owner, camera, preparation } = request
  const { first, updated } = await checkEnrolment(services, request, request.count ?? pixels.length)
  if (first) return { faces: first }

  const prepared =
    preparation === undefined
      ? await preparedFaces(services, request, pixels)
      : services.preparations.take(owner, preparation, request.faces.length)
  if (updated !== undefined) {
    const [face] = newFaces(services, request, prepared)
    const update = { ...prepared[0]!, face: { ...face!, id: updated } }
    await retryOnShardLoss(() => updateEnrolled(services, request, update))
    services.events.wake(owner)
    return { faces: [...(await faceAnswers(services, owner, [updated])).values()] }
  }
  // The retry uses new ids: a shard that did not respond may still execute the first attempt.
  const stored = await retryOnShardLoss(() =>
    store(services, request, { faces: newFaces(services, request, prepared), prepared }),
  )
  if (typeof stored === 'string') return responseAfterObstacle(services, request, stored)
  if (camera !== undefined) services.events.wake(owner)
  return { faces: [...(await faceAnswers(services, owner, stored)).values()] }
}

/**
 * Keeps a group of faces of an enrolment in memory, with encoded pictures. Throws like `enrol`, and SERVICE_UNAVAILABLE when too many
 * are kept.
 */
export async function prepareFaces(
  services: Services,
  request: RpcRequest<'faces.prepare'>,
  pixels: readonly FacePixels[],
): Promise<RpcResponse<'faces.prepare'>> {
  const { owner, preparation, from } = request
  const { first } = await checkEnrolment(services, request, request.count)
  if (first) return { isRepeated: true }
  services.preparations.hold(owner, preparation)
  const faces = await preparedFaces(services, request, pixels)
  const encoded = faces.map(async face => ({
    ...face,
    // The pixels take four times the memory.
    pictures: services.keep.pictures ? await encodePictures(face.pictures) : NO_PICTURES,
  }))
  services.preparations.add(owner, preparation, from, await Promise.all(encoded))
  return { isRepeated: false }
}

/**
 * Checks an enrolment of so many faces. `first`: the faces of an earlier request with its key, which ends its preparation. `updated`:
 * the face that it replaces. Throws NO_FACES, and BAD_PARAM.
 */
async function checkEnrolment(
  services: Services,
  request: Pick<Change<'enrol'>, 'owner' | 'preparation' | keyof typeof checkedEnrolment>,
  count: number,
): Promise<{ first?: Face[]; updated?: number }> {
  const { owner, galleries, camera, idempotency, preparation } = request
  if (count === 0) throw new ServiceError('NO_FACES')
  checkGivenPerson(request, count)
  const updated = request.update ? await faceToUpdate(services, request, count) : undefined
  const first =
    updated === undefined && idempotency && (await repeatedEnrolment(services, { owner, ...idempotency }))
  if (first && preparation !== undefined) services.preparations.drop(owner, preparation)
  if (first) return { first }
  await checkGalleries(services, { owner, galleries, param: 'galleries' })
  if (camera !== undefined) await checkCamera(services, { owner, id: camera, param: 'cam_id' })
  return { updated }
}

/** Embeddings, requested attributes and pictures of faces. */
async function preparedFaces(
  services: Services,
  { asked }: Pick<Change<'enrol'>, 'asked'>,
  pixels: readonly FacePixels[],
): Promise<PreparedFace[]> {
  const [embeddings, attributes] = await Promise.all([
    services.embed(pixels.map(({ chip }) => chip.data)),
    attributesOf(services, asked, pixels),
  ])
  return pixels.map(({ chip, thumbnail }, i) => ({
    embedding: embeddings[i]!,
    attributes: attributes[i]!,
    pictures: { normalized: chip, thumbnail },
  }))
}

/** Requested attributes of each face; empty objects when none is requested. */
const attributesOf = async (
  services: Services,
  asked: Change<'enrol'>['asked'],
  pixels: readonly FacePixels[],
): Promise<Attributes[]> => {
  if (!asked || !firstRequested(asked)) return pixels.map(() => ({}))
  const faces = pixels.map(({ chip, thumbnail }) => ({ chip: chip.data, thumbnail }))
  return services.estimate(faces, asked)
}

/** Row of a face and its named galleries. */
type NewFace = FaceRow & { galleries: string[] }

/** Rows of the faces of the request. */
function newFaces(
  services: Services,
  request: Change<'enrol'>,
  prepared: readonly PreparedFace[],
): NewFace[] {
  const galleries = namedGalleries(request.galleries)
  return request.faces.map(({ box, quality, liveness, measuredQuality }, i) => ({
    id: services.nextId(),
    owner: request.owner,
    timestamp: request.timestamp ?? services.now() * 1000,
    photo: services.keep.photoNames ? request.photo.slice(0, PHOTO_LIMITS.nameLength).toWellFormed() : '',
    photoHash: request.photoHash,
    ...box,
    meta: request.meta,
    galleries,
    personId: null,
    confirmed: false,
    candidate: null,
    candidateConfidence: null,
    camera: request.camera ?? null,
    age: prepared[i]!.attributes.age ?? null,
    gender: prepared[i]!.attributes.gender ?? null,
    emotions: prepared[i]!.attributes.emotions ?? null,
    quality: quality ?? null,
    liveness: liveness ?? null,
    measuredQuality: leastQuality(measuredQuality ?? quality?.quality, prepared[i]!.embedding),
    detectorInfo: request.detectorInfo ?? null,
    pictured: services.keep.pictures,
    snapshot: false,
    clip: false,
    review: null,
  }))
}

/**
 * The lower of the measured quality and the clearness of a face, which is the length of its embedding. Null for a clear face without
 * a measured quality.
 */
function leastQuality(measured: number | undefined, embedding: Float32Array): number | null {
  const quality = Math.min(measured ?? 1, Math.hypot(...embedding))
  return measured === undefined && quality >= FOUNDING_QUALITY ? null : quality
}

/**
 * Writes intents for the faces under unused ids. An id can be taken after a clock was set back, or by another core; then all
 * faces get new ids. Rejects with StoreUnavailable or PicturesUnavailable when needed shards or the bucket are unavailable.
 */
async function recordIntentsWithFreeIds(
  services: Services,
  work: IntentOperation,
  faces: readonly NewFace[],
  searchesPersons: boolean,
): Promise<NewFace[]> {
  const [{ owner, galleries }] = faces as [NewFace]
  const ids = faces.map(({ id }) => id)
  assertInTime()
  // The identification of persons searches all shards.
  await services.vectors.reach(searchesPersons ? undefined : ids)
  if (services.keep.pictures) await services.pictures.reach()
  if (await insertEnrolmentIntents(services.database, work, { owner, ids, galleries })) return [...faces]
  return recordIntentsWithFreeIds(
    services,
    work,
    faces.map(face => ({ ...face, id: services.nextId() })),
    searchesPersons,
  )
}

interface EnrolmentData {
  faces: NewFace[]
  prepared: readonly PreparedFace[]
}

/** Stores everything and returns the ids, or stores nothing and returns the obstacle. */
const store = (
  services: Services,
  request: Change<'enrol'>,
  { faces: candidates, prepared }: EnrolmentData,
) =>
  withIntent(services, async work => {
    const isGiven = givesPerson(request)
    const isIdentified = services.options.person_identify && !isGiven
    const faces = await recordIntentsWithFreeIds(services, work, candidates, isIdentified)
    if (services.keep.pictures)
      await services.pictures.write(faces.map((face, i) => ({ ...face, ...prepared[i]!.pictures })))
    const committing = commitFaces(services, request, { faces, prepared }, work)
    const commit = isGiven || isIdentified ? services.ownerLock(request.owner, committing) : committing()
    const obstacle = await commit.catch(error => abandonEnrolment(services, work, faces, error))
    return obstacle ?? faces.map(({ id }) => id)
  })

/**
 * Rejects. Another core may have taken the intents before all writes were done, also when the answer of the transaction was lost.
 * Writes the intents again: reconciliation compares them with the rows.
 */
async function abandonEnrolment(
  services: Services,
  work: IntentOperation,
  faces: readonly NewFace[],
  error: unknown,
): Promise<never> {
  if (services.lease) await recordIntents(services.database, work, faces)
  throw error instanceof IntentsTaken ? new ServiceError('SERVICE_UNAVAILABLE', {}, { cause: error }) : error
}

/** Assigns persons, adds vectors and commits. After a concurrent change by another core it runs again, without the vectors. */
function commitFaces(
  services: Services,
  request: Change<'enrol'>,
  { faces, prepared }: EnrolmentData,
  work: IntentOperation,
): (revision?: number) => Promise<Obstacle | undefined> {
  const { owner, galleries, idempotency } = request
  const embeddings = prepared.map(({ embedding }) => embedding)
  let added: Promise<void> | undefined
  return async revision => {
    const assigned = await personsOf(services, request, faces, embeddings)
    added ??= services.vectors.add(
      faces.flatMap((face, i) => vectorKeys(face).map(key => ({ ...key, vector: embeddings[i]! }))),
    )
    await added
    const ids = faces.map(({ id }) => id)
    return commitEnrolment(services.database, {
      work,
      owner,
      ...assigned,
      galleries: namedGalleries(galleries),
      revision,
      remember: idempotency && {
        answer: { owner, ...idempotency, faces: ids, created: services.now() * 1000 },
        keptSince: oldestKeptTime(services),
      },
    })
  }
}

/** The faces with the person that the request gives, or with assigned persons if `person_identify` is on. */
async function personsOf(
  services: Services,
  request: Change<'enrol'>,
  faces: NewFace[],
  embeddings: readonly Float32Array[],
): Promise<Assigned<NewFace>> {
  if (givesPerson(request)) return withGivenPerson(services, request, faces)
  if (!services.options.person_identify) return { faces, persons: [] }
  const newcomers = faces.map((face, i) => ({ face, embedding: embeddings[i]! }))
  return assignPersons(services, request.owner, newcomers)
}

/** Response after an obstacle: the faces of the first request with this idempotency key, or an error. */
async function responseAfterObstacle(
  services: Services,
  { owner, galleries, idempotency }: Change<'enrol'>,
  obstacle: Obstacle,
): Promise<RpcResponse<'enrol'>> {
  if (obstacle === 'owner gone') throw new ServiceError('AUTH_FAILED')
  if (obstacle === 'gallery gone')
    throw badParam('galleries', galleries, 'A gallery was deleted during this request.')
  const first = idempotency && (await repeatedEnrolment(services, { owner, ...idempotency }))
  if (!first) throw new ServiceError('SERVICE_UNAVAILABLE')
  return { faces: first }
}
