/** Identification: who, among the enrolled, faces are. */
import type { Match } from '../contract/face.ts'
import type { Answer, Question } from '../contract/wire.ts'
import { closestFaces } from './closest.ts'
import { faceAnswer } from './face-answer.ts'
import { checkGalleries } from './galleries.ts'
import type { Parts } from './parts.ts'
import { requireShards } from './shards.ts'

/** The one store of this process is always at hand. */
const SHARDS = { live: 1, total: 1 }

/** One list of matches per chip, each sorted by falling confidence, ties by rising id. */
export async function identify(
  parts: Parts,
  question: Question<'identify'>,
  chips: Uint8Array[],
): Promise<Answer<'identify'>> {
  const { owner, gallery, strict = !parts.options.tntapi_ignore_search_errors } = question
  requireShards(SHARDS, strict)
  await checkGalleries(parts, { owner, galleries: [gallery], param: 'gallery' })
  const matches: Match[][] = []
  for (const probe of await parts.embed(chips)) matches.push(await matchesOf(parts, question, probe))
  return { matches, ...SHARDS }
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
