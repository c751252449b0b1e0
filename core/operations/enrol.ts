/** Enrolment: faces are stored, all of them or none. */
import type { Thumbnail } from '../../wasm/imaging/thumbnail.ts'
import { badParam, ServiceError } from '../contract/errors.ts'
import { LIMITS } from '../contract/limits.ts'
import { type Attributes, firstRequested } from '../contract/model/attributes.ts'
import type { Answer, Change } from '../contract/rpc/operations.ts'
import { commitEnrolment, type Obstacle } from '../metadata/queries/enrolments.ts'
import type { FaceRow } from '../metadata/queries/faces.ts'
import { type IntentWork, insertEnrolmentIntents, insertIntents } from '../metadata/queries/intents.ts'
import { IntentsTaken } from '../metadata/revisions.ts'
import type { NormalizedPixels } from '../pictures/encode.ts'
import { checkCamera } from './cameras.ts'
import { withIntent } from './consistency/intent-log.ts'
import { vectorKeys } from './consistency/vector-keys.ts'
import { faceAnswers } from './face-answer.ts'
import { checkGalleries, namedGalleries } from './galleries.ts'
import { type Assigned, assignPersons } from './persons.ts'
import { keptSince, rememberedEnrolment, repeatedEnrolment } from './repeated-enrolment.ts'
import { retryOnShardLoss } from './search/retry-on-shard-loss.ts'
import type { Services } from './services.ts'

/** What one face of the question looks like. */
export interface FacePixels {
  chip: NormalizedPixels
  thumbnail: Thumbnail
}

/**
 * Stores the faces of one photo; `pixels` are those of `question.faces`, in their order.
 *
 * A note of them is written first, then pictures, then vectors, and last the metadata in one transaction. That
 * transaction decides: before it no face exists and what was written is removed again, after it all of them do. Where
 * new faces get persons, the search for these, the vectors and the transaction are one turn of the owner's.
 */
export async function enrol(
  services: Services,
  question: Change<'enrol'>,
  pixels: readonly FacePixels[],
): Promise<Answer<'enrol'>> {
  const { owner, galleries, camera, idempotency } = question
  if (pixels.length === 0) throw new ServiceError('NO_FACES')
  const first = idempotency && (await repeatedEnrolment(services, { owner, ...idempotency }))
  if (first?.faces) return { faces: first.faces }
  await checkGalleries(services, { owner, galleries, param: 'galleries' })
  if (camera !== undefined) await checkCamera(services, { owner, id: camera, param: 'cam_id' })

  const chips = pixels.map(({ chip }) => chip.data)
  const [embeddings, attributes] = await Promise.all([
    services.embed(chips),
    attributesOf(services, question, pixels),
  ])
  // A second time under other ids: what has given no answer to the first may still be done.
  const stored = await retryOnShardLoss(() =>
    store(services, question, { faces: newFaces(services, question, attributes), embeddings, pixels }),
  )
  if (typeof stored === 'string') return afterObstacle(services, question, stored)
  return { faces: await faceAnswers(services, owner, stored) }
}

/** What is asked of each face, if anything is. */
const attributesOf = async (
  services: Services,
  { asked }: Change<'enrol'>,
  pixels: readonly FacePixels[],
): Promise<Attributes[]> => {
  if (!asked || !firstRequested(asked)) return pixels.map(() => ({}))
  const faces = pixels.map(({ chip, thumbnail }) => ({ chip: chip.data, thumbnail }))
  return services.estimate(faces, asked)
}

/** A row, and the named galleries that the face joins. */
type NewFace = FaceRow & { galleries: string[] }

/** The rows of the question's faces. */
function newFaces(
  services: Services,
  question: Change<'enrol'>,
  attributes: readonly Attributes[],
): NewFace[] {
  const galleries = namedGalleries(question.galleries)
  return question.faces.map(({ box, quality, liveness }, i) => ({
    id: services.nextId(),
    owner: question.owner,
    timestamp: question.timestamp ?? services.now() * 1000,
    photo: services.keep.photoNames ? question.photo.slice(0, LIMITS.photoNameLength).toWellFormed() : '',
    photoHash: question.photoHash,
    ...box,
    meta: question.meta,
    galleries,
    personId: null,
    camera: question.camera ?? null,
    age: attributes[i]!.age ?? null,
    gender: attributes[i]!.gender ?? null,
    emotions: attributes[i]!.emotions ?? null,
    quality: quality ?? null,
    liveness: liveness ?? null,
    detectorInfo: question.detectorInfo ?? null,
    pictured: services.keep.pictures,
  }))
}

/**
 * Notes the faces under ids that no face has. One may be taken when a clock was set back, or by another core at the same
 * moment: then they get the next ones. Rejects with StoreUnavailable and PicturesUnavailable where what they need is away.
 */
async function noteFree(services: Services, work: IntentWork, faces: readonly NewFace[]): Promise<NewFace[]> {
  const [{ owner, galleries }] = faces as [NewFace]
  const ids = faces.map(({ id }) => id)
  // Who is new is asked of all that are stored.
  await services.vectors.reach(services.options.person_identify ? undefined : ids)
  if (services.keep.pictures) await services.pictures.reach()
  if (await insertEnrolmentIntents(services.database, work, { owner, ids, galleries })) return [...faces]
  return noteFree(
    services,
    work,
    faces.map(face => ({ ...face, id: services.nextId() })),
  )
}

interface Storing {
  faces: NewFace[]
  embeddings: Float32Array[]
  pixels: readonly FacePixels[]
}

/** Writes everything and answers with the ids, or leaves nothing behind and says what stood in the way. */
const store = (
  services: Services,
  question: Change<'enrol'>,
  storing: Storing,
): Promise<number[] | Obstacle> =>
  withIntent(services, async work => {
    const { pixels } = storing
    const faces = await noteFree(services, work, storing.faces)
    if (services.keep.pictures)
      await services.pictures.write(
        faces.map((face, i) => ({ ...face, thumbnail: pixels[i]!.thumbnail, normalized: pixels[i]!.chip })),
      )
    const committing = commitFaces(services, question, { ...storing, faces }, work)
    const commit = services.options.person_identify
      ? services.ownerLock(question.owner, committing)
      : committing()
    const obstacle = await commit.catch(error => giveUp(services, work, faces, error))
    return obstacle ?? faces.map(({ id }) => id)
  })

/** Another core may have settled what was noted before all of it was written: it is noted again, and goes. */
async function giveUp(
  services: Services,
  work: IntentWork,
  faces: readonly NewFace[],
  error: unknown,
): Promise<never> {
  if (!(error instanceof IntentsTaken)) throw error
  await insertIntents(services.database, work, faces)
  throw new ServiceError('SERVICE_UNAVAILABLE', {}, { cause: error })
}

/** Persons, vectors, and the transaction that decides: all again but the vectors when another core was quicker. */
function commitFaces(
  services: Services,
  { owner, galleries, idempotency }: Change<'enrol'>,
  { faces, embeddings }: Storing,
  work: IntentWork,
): (revision?: number) => Promise<Obstacle | undefined> {
  let added: Promise<void> | undefined
  return async revision => {
    const assigned = await personsOf(services, owner, faces, embeddings)
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
        answer: rememberedEnrolment(services, { owner, ...idempotency }, ids),
        keptSince: keptSince(services),
      },
    })
  }
}

/** The faces with their persons, where new faces get any. */
const personsOf = async (
  services: Services,
  owner: string,
  faces: NewFace[],
  embeddings: readonly Float32Array[],
): Promise<Assigned<NewFace>> =>
  services.options.person_identify
    ? assignPersons(
        services,
        owner,
        faces.map((face, i) => ({ face, embedding: embeddings[i]! })),
      )
    : { faces, persons: [] }

/** The answer when another request came first: the repeat's first answer, or what is no more. */
async function afterObstacle(
  services: Services,
  { owner, galleries, idempotency }: Change<'enrol'>,
  obstacle: Obstacle,
): Promise<Answer<'enrol'>> {
  if (obstacle === 'owner gone') throw new ServiceError('AUTH_FAILED')
  if (obstacle === 'gallery gone') throw badParam('galleries', galleries, 'A gallery was deleted meanwhile.')
  const first = idempotency && (await repeatedEnrolment(services, { owner, ...idempotency }))
  if (!first?.faces) throw new ServiceError('SERVICE_UNAVAILABLE')
  return { faces: first.faces }
}
