/** Identification: who, among the enrolled, faces are. */
import type { Match } from '../contract/face.ts'
import type { Answer, Question } from '../contract/wire.ts'
import { closestFaces } from './closest.ts'
import { faceAnswer } from './face-answer.ts'
import { checkGalleries } from './galleries.ts'
import type { Parts } from './parts.ts'

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
  const close = await closestFaces(parts, { owner, gallery, threshold, limit }, probe)
  return close
    .map(({ confidence, face }) => ({ confidence, face: faceAnswer(parts, face) }))
    .sort((a, b) => b.confidence - a.confidence || a.face.id - b.face.id)
    .slice(0, limit)
}
