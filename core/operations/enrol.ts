/** Enrolment: faces are stored, all of them or none. */
import type { Thumbnail } from '../../wasm/imaging/thumbnail.ts'
import { badParam, ServiceError } from '../contract/errors.ts'
import { LIMITS } from '../contract/limits.ts'
import { type Attributes, firstAsked } from '../contract/model/attributes.ts'
import type { Answer, Change } from '../contract/rpc/operations.ts'
import { commitEnrolment, type Obstacle } from '../metadata/queries/enrolments.ts'
import type { FaceRow } from '../metadata/queries/faces.ts'
import { insertNotes, noteNewFaces, type Work } from '../metadata/queries/intents.ts'
import { NotesTaken } from '../metadata/revisions.ts'
import type { NormalizedPixels } from '../pictures/encode.ts'
import { checkCamera } from './cameras.ts'
import { noted } from './consistency/intent-log.ts'
import { vectorKeys } from './consistency/vector-keys.ts'
import { faceAnswers } from './face-answer.ts'
import { checkGalleries, namedGalleries } from './galleries.ts'
import { type Assigned, assignPersons } from './persons.ts'
import { keptSince, recall, remembered } from './repeated-enrolment.ts'
import { onceMore } from './search/retry-on-shard-loss.ts'
import type { Parts } from './services.ts'

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
  parts: Parts,
  question: Change<'enrol'>,
  pixels: readonly FacePixels[],
): Promise<Answer<'enrol'>> {
  const { owner, galleries, camera, idempotency } = question
  if (pixels.length === 0) throw new ServiceError('NO_FACES')
  const first = idempotency && (await recall(parts, { owner, ...idempotency }))
  if (first?.faces) return { faces: first.faces }
  await checkGalleries(parts, { owner, galleries, param: 'galleries' })
  if (camera !== undefined) await checkCamera(parts, { owner, id: camera, param: 'cam_id' })

  const chips = pixels.map(({ chip }) => chip.data)
  const [embeddings, attributes] = await Promise.all([
    parts.embed(chips),
    attributesOf(parts, question, pixels),
  ])
  // A second time under other ids: what has given no answer to the first may still be done.
  const stored = await onceMore(() =>
    store(parts, question, { faces: newFaces(parts, question, attributes), embeddings, pixels }),
  )
  if (typeof stored === 'string') return afterObstacle(parts, question, stored)
  return { faces: await faceAnswers(parts, owner, stored) }
}

/** What is asked of each face, if anything is. */
const attributesOf = async (
  parts: Parts,
  { asked }: Change<'enrol'>,
  pixels: readonly FacePixels[],
): Promise<Attributes[]> => {
  if (!asked || !firstAsked(asked)) return pixels.map(() => ({}))
  const faces = pixels.map(({ chip, thumbnail }) => ({ chip: chip.data, thumbnail }))
  return parts.estimate(faces, asked)
}

/** A row, and the named galleries that the face joins. */
type NewFace = FaceRow & { galleries: string[] }

/** The rows of the question's faces. */
function newFaces(parts: Parts, question: Change<'enrol'>, attributes: readonly Attributes[]): NewFace[] {
  const galleries = namedGalleries(question.galleries)
  return question.faces.map(({ box, quality, liveness }, i) => ({
    id: parts.nextId(),
    owner: question.owner,
    timestamp: question.timestamp ?? parts.now() * 1000,
    photo: parts.keep.photoNames ? question.photo.slice(0, LIMITS.photoNameLength).toWellFormed() : '',
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
    pictured: parts.keep.pictures,
  }))
}

/**
 * Notes the faces under ids that no face has. One may be taken when a clock was set back, or by another core at the same
 * moment: then they get the next ones. Rejects with StoreAway and PicturesAway where what they need is away.
 */
async function noteFree(parts: Parts, work: Work, faces: readonly NewFace[]): Promise<NewFace[]> {
  const [{ owner, galleries }] = faces as [NewFace]
  const ids = faces.map(({ id }) => id)
  // Who is new is asked of all that are stored.
  await parts.vectors.reach(parts.options.person_identify ? undefined : ids)
  if (parts.keep.pictures) await parts.pictures.reach()
  if (await noteNewFaces(parts.database, work, { owner, ids, galleries })) return [...faces]
  return noteFree(
    parts,
    work,
    faces.map(face => ({ ...face, id: parts.nextId() })),
  )
}

interface Storing {
  faces: NewFace[]
  embeddings: Float32Array[]
  pixels: readonly FacePixels[]
}

/** Writes everything and answers with the ids, or leaves nothing behind and says what stood in the way. */
const store = (parts: Parts, question: Change<'enrol'>, storing: Storing): Promise<number[] | Obstacle> =>
  noted(parts, async work => {
    const { pixels } = storing
    const faces = await noteFree(parts, work, storing.faces)
    if (parts.keep.pictures)
      await parts.pictures.write(
        faces.map((face, i) => ({ ...face, thumbnail: pixels[i]!.thumbnail, normalized: pixels[i]!.chip })),
      )
    const committing = commitFaces(parts, question, { ...storing, faces }, work)
    const commit = parts.options.person_identify ? parts.inTurn(question.owner, committing) : committing()
    const obstacle = await commit.catch(error => giveUp(parts, work, faces, error))
    return obstacle ?? faces.map(({ id }) => id)
  })

/** Another core may have settled what was noted before all of it was written: it is noted again, and goes. */
async function giveUp(parts: Parts, work: Work, faces: readonly NewFace[], error: unknown): Promise<never> {
  if (!(error instanceof NotesTaken)) throw error
  await insertNotes(parts.database, work, faces)
  throw new ServiceError('SERVICE_UNAVAILABLE', {}, { cause: error })
}

/** Persons, vectors, and the transaction that decides: all again but the vectors when another core was quicker. */
function commitFaces(
  parts: Parts,
  { owner, galleries, idempotency }: Change<'enrol'>,
  { faces, embeddings }: Storing,
  work: Work,
): (revision?: number) => Promise<Obstacle | undefined> {
  let added: Promise<void> | undefined
  return async revision => {
    const assigned = await personsOf(parts, owner, faces, embeddings)
    added ??= parts.vectors.add(
      faces.flatMap((face, i) => vectorKeys(face).map(key => ({ ...key, vector: embeddings[i]! }))),
    )
    await added
    const ids = faces.map(({ id }) => id)
    return commitEnrolment(parts.database, {
      work,
      owner,
      ...assigned,
      galleries: namedGalleries(galleries),
      revision,
      remember: idempotency && {
        answer: remembered(parts, { owner, ...idempotency }, ids),
        keptSince: keptSince(parts),
      },
    })
  }
}

/** The faces with their persons, where new faces get any. */
const personsOf = async (
  parts: Parts,
  owner: string,
  faces: NewFace[],
  embeddings: readonly Float32Array[],
): Promise<Assigned<NewFace>> =>
  parts.options.person_identify
    ? assignPersons(
        parts,
        owner,
        faces.map((face, i) => ({ face, embedding: embeddings[i]! })),
      )
    : { faces, persons: [] }

/** The answer when another request came first: the repeat's first answer, or what is no more. */
async function afterObstacle(
  parts: Parts,
  { owner, galleries, idempotency }: Change<'enrol'>,
  obstacle: Obstacle,
): Promise<Answer<'enrol'>> {
  if (obstacle === 'owner gone') throw new ServiceError('AUTH_FAILED')
  if (obstacle === 'gallery gone') throw badParam('galleries', galleries, 'A gallery was deleted meanwhile.')
  const first = idempotency && (await recall(parts, { owner, ...idempotency }))
  if (!first?.faces) throw new ServiceError('SERVICE_UNAVAILABLE')
  return { faces: first.faces }
}
