/** Enrolment: faces are stored, all of them or none. */
import type { Thumbnail } from '../../wasm/thumbnail.ts'
import { type Attributes, firstAsked } from '../contract/attributes.ts'
import { badParam, ServiceError } from '../contract/errors.ts'
import { LIMITS } from '../contract/limits.ts'
import type { Answer, Change } from '../contract/wire.ts'
import { commitEnrolment, type Obstacle } from '../metadata/enrolments.ts'
import { type FaceRow, takenIds } from '../metadata/faces.ts'
import { insertNotes, type Work } from '../metadata/unsettled.ts'
import type { NormalizedPixels } from '../pictures/encode.ts'
import { checkCamera } from './cameras.ts'
import { faceAnswers } from './face-answer.ts'
import { checkGalleries, namedGalleries } from './galleries.ts'
import type { Parts } from './parts.ts'
import { type Assigned, assignPersons } from './persons.ts'
import { keptSince, recall, remembered } from './recall.ts'
import { noted } from './settle.ts'
import { vectorKeys } from './traces.ts'

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
  const faces = await newFaces(parts, question, attributes)
  const obstacle = await store(parts, question, { faces, embeddings, pixels })
  if (obstacle) return afterObstacle(parts, question, obstacle)
  const ids = faces.map(({ id }) => id)
  return { faces: await faceAnswers(parts, owner, ids) }
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

/** The rows of the question's faces, under ids that no face has. */
async function newFaces(
  parts: Parts,
  question: Change<'enrol'>,
  attributes: readonly Attributes[],
): Promise<NewFace[]> {
  const ids = await freshIds(parts, question.faces.length)
  const galleries = namedGalleries(question.galleries)
  return question.faces.map(({ box, quality }, i) => ({
    id: ids[i]!,
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
    detectorInfo: question.detectorInfo ?? null,
    pictured: parts.keep.pictures,
  }))
}

/** Rising ids that are free. One may be taken when the clock was set back; the next is tried then. */
async function freshIds({ database, nextId }: Parts, count: number): Promise<number[]> {
  for (;;) {
    const ids = Array.from({ length: count }, nextId)
    if ((await takenIds(database, ids)).size === 0) return ids
  }
}

interface Storing {
  faces: NewFace[]
  embeddings: Float32Array[]
  pixels: readonly FacePixels[]
}

/** Writes everything, or leaves nothing behind and says what stood in the way. */
const store = (parts: Parts, question: Change<'enrol'>, storing: Storing): Promise<Obstacle | undefined> =>
  noted(parts, async work => {
    const { faces, pixels } = storing
    await parts.vectors.reach(faces.map(({ id }) => id))
    if (parts.keep.pictures) await parts.pictures.reach()
    await insertNotes(parts.database, work, faces)
    if (parts.keep.pictures)
      await parts.pictures.write(
        faces.map((face, i) => ({ ...face, thumbnail: pixels[i]!.thumbnail, normalized: pixels[i]!.chip })),
      )
    const commit = () => commitFaces(parts, question, storing, work)
    return parts.options.person_identify ? parts.inTurn(question.owner, commit) : commit()
  })

/** Persons, vectors, and the transaction that decides. */
async function commitFaces(
  parts: Parts,
  { owner, galleries, idempotency }: Change<'enrol'>,
  { faces, embeddings }: Storing,
  work: Work,
): Promise<Obstacle | undefined> {
  const assigned = await personsOf(parts, owner, faces, embeddings)
  await parts.vectors.add(
    faces.flatMap((face, i) => vectorKeys(face).map(key => ({ ...key, vector: embeddings[i]! }))),
  )
  const ids = faces.map(({ id }) => id)
  return commitEnrolment(parts.database, {
    work,
    owner,
    ...assigned,
    galleries: namedGalleries(galleries),
    remember: idempotency && {
      answer: remembered(parts, { owner, ...idempotency }, ids),
      keptSince: keptSince(parts),
    },
  })
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
