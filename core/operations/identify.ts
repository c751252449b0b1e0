/** Identification: who, among the enrolled, faces are. */
import { ServiceError } from '../contract/errors.ts'
import type { Match } from '../contract/model/face.ts'
import type { Answer, Question } from '../contract/rpc/operations.ts'
import type { Shards } from '../vector-store/vector-store.ts'
import { faceAnswer } from './face-answer.ts'
import { checkGalleries } from './galleries.ts'
import { type CloseFace, closestFaces } from './search/closest-faces.ts'
import { requireComplete, requireShards, toldShards } from './search/required-shards.ts'
import { onceMore } from './search/retry-on-shard-loss.ts'
import type { Parts } from './services.ts'

/**
 * One list of matches per chip, each sorted by falling confidence, ties by rising id; and the parts of the store that
 * answered for all of them. Rejects with StoreAway when these are too few, and what is missing does not come back soon.
 */
export async function identify(
  parts: Parts,
  question: Question<'identify'>,
  chips: Uint8Array[],
): Promise<Answer<'identify'>> {
  const { owner, gallery } = question
  if (chips.length === 0) throw new ServiceError('NO_FACES')
  await checkGalleries(parts, { owner, galleries: [gallery], param: 'gallery' })
  const probes = await parts.embed(chips)
  return onceMore(async again => {
    if (again) await parts.vectors.reach()
    return answerOf(parts, question, probes)
  })
}

async function answerOf(
  parts: Parts,
  question: Question<'identify'>,
  probes: readonly Float32Array[],
): Promise<Answer<'identify'>> {
  const { strict = !parts.options.tntapi_ignore_search_errors } = question
  requireComplete(parts.lacking, strict)
  const matches: Match[][] = []
  let shards: Shards | undefined
  for (const probe of probes) {
    const { faces, live, total } = await closestFaces(parts, question, probe)
    matches.push(matchesOf(parts, question, faces))
    shards = { live: Math.min(live, shards?.live ?? live), total }
    requireShards(shards, strict)
  }
  return { matches, ...toldShards(shards!, parts.lacking) }
}

const matchesOf = (
  parts: Parts,
  { limit }: Pick<Question<'identify'>, 'limit'>,
  faces: readonly CloseFace[],
): Match[] =>
  faces
    .map(({ confidence, face }) => ({ confidence, face: faceAnswer(parts, face) }))
    .sort((a, b) => b.confidence - a.confidence || a.face.id - b.face.id)
    .slice(0, limit)
