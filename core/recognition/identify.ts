/** Identification: who, among the enrolled, faces are. */
import type { Match } from '../contract/face.ts'
import { storeGallery } from '../contract/gallery.ts'
import type { Answer, Question } from '../contract/wire.ts'
import { facesById } from '../metadata/faces.ts'
import { confidenceOf } from './confidence.ts'
import { faceAnswer } from './face-answer.ts'
import { checkGalleries } from './galleries.ts'
import type { Parts } from './parts.ts'

/** Candidates asked for beyond the limit: for those that are just being deleted, and for ties at the limit. */
const SPARE = 16

/** One list of matches per chip, each sorted by falling confidence, ties by rising id. */
export async function identify(
  parts: Parts,
  question: Question<'identify'>,
  chips: Uint8Array[],
): Promise<Answer<'identify'>> {
  const { owner, gallery } = question
  await checkGalleries(parts, { owner, galleries: [gallery], param: 'gallery' })
  const matches: Match[][] = []
  for (const probe of await parts.embed(chips)) matches.push(await matchesOf(parts, question, probe))
  // The one store of this process is always at hand.
  return { matches, live: 1, total: 1 }
}

async function matchesOf(
  parts: Parts,
  { owner, gallery, threshold, limit }: Question<'identify'>,
  probe: Float32Array,
): Promise<Match[]> {
  for (let wanted = limit + SPARE; ; wanted *= 2) {
    const bounds = { limit: wanted, minScore: -1 }
    const candidates = await parts.vectors.search(storeGallery(owner, gallery), probe, bounds)
    const close = candidates
      .map(({ id, score }) => ({ id, confidence: confidenceOf(parts, score) }))
      .filter(({ confidence }) => confidence >= threshold)
    const matches = await existing(parts, owner, close)
    // Nothing is left to find when the gallery, or what reaches the threshold, is at its end.
    const exhausted = candidates.length < wanted || close.length < candidates.length
    if (matches.length >= limit || exhausted) return matches.slice(0, limit)
  }
}

/** The candidates whose face exists: a vector without one is of an enrolment or a deletion under way. */
async function existing(
  parts: Parts,
  owner: string,
  candidates: readonly { id: number; confidence: number }[],
): Promise<Match[]> {
  const stored = await facesById(
    parts.database,
    owner,
    candidates.map(({ id }) => id),
  )
  const faces = new Map(stored.map(face => [face.id, face]))
  return candidates
    .flatMap(({ id, confidence }) => {
      const face = faces.get(id)
      return face ? [{ confidence, face: faceAnswer(parts, face) }] : []
    })
    .sort((a, b) => b.confidence - a.confidence || a.face.id - b.face.id)
}
