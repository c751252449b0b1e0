/** Enrolment: faces are stored, all of them or none. */
import { badParam, ServiceError } from '../contract/errors.ts'
import { LIMITS } from '../contract/limits.ts'
import type { Answer, Question } from '../contract/wire.ts'
import { commitEnrolment, type Obstacle } from '../metadata/enrolments.ts'
import { type StoredFace, takenIds } from '../metadata/faces.ts'
import type { Pixels } from '../pictures/encode.ts'
import { faceAnswer } from './face-answer.ts'
import { checkGalleries, namedGalleries } from './galleries.ts'
import type { Parts } from './parts.ts'
import { keptSince, recall, remembered } from './recall.ts'
import { removeTraces, vectorKeys } from './traces.ts'

/** What one face of the question looks like. */
export interface FacePixels {
  chip: Pixels
  thumbnail: Pixels
}

/**
 * Stores the faces of one photo; `pixels` are those of `question.faces`, in their order.
 *
 * Pictures are written first, then vectors, and last the metadata in one transaction. That transaction decides: before
 * it no face exists and what was written is removed again, after it all of them do.
 */
export async function enrol(
  parts: Parts,
  question: Question<'enrol'>,
  pixels: readonly FacePixels[],
): Promise<Answer<'enrol'>> {
  const { owner, galleries, idempotency } = question
  if (pixels.length === 0) throw new ServiceError('NO_FACES')
  if (question.camera !== undefined) throw badParam('cam_id', question.camera, 'There is no such camera.')
  const first = idempotency && (await recall(parts, { owner, ...idempotency }))
  if (first?.faces) return { faces: first.faces }
  await checkGalleries(parts, { owner, galleries, param: 'galleries' })

  const embeddings = await parts.embed(pixels.map(({ chip }) => chip.data))
  const faces = await newFaces(parts, question)
  const answer = { faces: faces.map(face => faceAnswer(parts, face)) }
  const obstacle = await store(parts, question, { faces, embeddings, pixels, answer })
  return obstacle ? afterObstacle(parts, question, obstacle) : answer
}

/** The rows of the question's faces, under ids that no face has. */
async function newFaces(parts: Parts, question: Question<'enrol'>): Promise<StoredFace[]> {
  const ids = await freshIds(parts, question.faces.length)
  const galleries = namedGalleries(question.galleries)
  return question.faces.map(({ box }, i) => ({
    id: ids[i]!,
    owner: question.owner,
    timestamp: question.timestamp ?? parts.now() * 1000,
    photo: question.photo.slice(0, LIMITS.photoNameLength).toWellFormed(),
    photoHash: question.photoHash,
    ...box,
    meta: question.meta,
    galleries,
    personId: null,
    camera: null,
    age: null,
    gender: null,
    emotions: null,
    detectorInfo: question.detectorInfo ?? null,
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
  faces: StoredFace[]
  embeddings: Float32Array[]
  pixels: readonly FacePixels[]
  answer: Answer<'enrol'>
}

/** Writes everything, or leaves nothing behind and says what stood in the way. */
async function store(
  parts: Parts,
  question: Question<'enrol'>,
  { faces, embeddings, pixels, answer }: Storing,
): Promise<Obstacle | undefined> {
  let stored = false
  try {
    await parts.pictures.write(
      faces.map((face, i) => ({ ...face, thumbnail: pixels[i]!.thumbnail, normalized: pixels[i]!.chip })),
    )
    await parts.vectors.add(
      faces.flatMap((face, i) => vectorKeys(face).map(key => ({ ...key, vector: embeddings[i]! }))),
    )
    const { owner, idempotency } = question
    const obstacle = await commitEnrolment(parts.database, {
      owner,
      faces,
      galleries: namedGalleries(question.galleries),
      remember: idempotency && {
        answer: remembered(parts, { owner, ...idempotency }, answer),
        keptSince: keptSince(parts),
      },
    })
    stored = obstacle === undefined
    return obstacle
  } finally {
    // What can't be removed now has no row, so it is found by nobody, and is removed at the next start.
    if (!stored) await removeTraces(parts, faces).catch(() => {})
  }
}

/** The answer when another request came first: the repeat's first answer, or a gallery that is no more. */
async function afterObstacle(
  parts: Parts,
  { owner, galleries, idempotency }: Question<'enrol'>,
  obstacle: Obstacle,
): Promise<Answer<'enrol'>> {
  if (obstacle === 'gallery gone') throw badParam('galleries', galleries, 'A gallery was deleted meanwhile.')
  const first = idempotency && (await recall(parts, { owner, ...idempotency }))
  if (!first?.faces) throw new ServiceError('SERVICE_UNAVAILABLE')
  return { faces: first.faces }
}
