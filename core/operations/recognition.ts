/** Recognition: identification (1:N) in the enrolled faces of a gallery, and verification (1:1) of faces of two photos. */
import { ServiceError } from '../../contract/errors.ts'
import type { Match } from '../../contract/model/face.ts'
import type { RpcRequest, RpcResponse } from '../../contract/rpc/operations.ts'
import { dot, unitVector } from '../vector-store/unit-vector.ts'
import type { Shards } from '../vector-store/vector-store.ts'
import { faceAnswer } from './face-answer.ts'
import { checkGalleries } from './galleries.ts'
import { type CloseFace, closestFaces } from './search/closest-faces.ts'
import { reportedShards, requireComplete, requireShards, retryOnShardLoss } from './search/required-shards.ts'
import type { Services } from './services.ts'

/**
 * Returns one list of matches per chip, by descending confidence, then ascending id; and the shards that took part in all
 * searches. Rejects with StoreUnavailable when too few shards are live and the others do not return in time.
 */
export async function identify(
  services: Services,
  request: RpcRequest<'identify'>,
  chips: Uint8Array[],
): Promise<RpcResponse<'identify'>> {
  const { owner, gallery } = request
  if (chips.length === 0) throw new ServiceError('NO_FACES')
  await checkGalleries(services, { owner, galleries: [gallery], param: 'gallery' })
  const probes = await services.embed(chips)
  return retryOnShardLoss(async again => {
    if (again) await services.vectors.reach()
    return searchAll(services, request, probes)
  })
}

async function searchAll(
  services: Services,
  request: RpcRequest<'identify'>,
  probes: readonly Float32Array[],
): Promise<RpcResponse<'identify'>> {
  const { strict = !services.options.tntapi_ignore_search_errors } = request
  requireComplete(services.missingVectors, strict)
  const matches: Match[][] = []
  let shards: Shards | undefined
  for (const probe of probes) {
    const { found, live, total } = await closestFaces(services, request, probe)
    matches.push(matchesOf(services, request, found))
    shards = { live: Math.min(live, shards?.live ?? live), total }
    requireShards(shards, strict)
  }
  return { matches, ...reportedShards(shards!, services.missingVectors) }
}

const matchesOf = (
  services: Services,
  { limit }: Pick<RpcRequest<'identify'>, 'limit'>,
  faces: readonly CloseFace[],
): Match[] =>
  faces
    .map(({ confidence, face }) => ({ confidence, face: faceAnswer(services, face) }))
    .sort((a, b) => b.confidence - a.confidence || a.face.id - b.face.id)
    .slice(0, limit)

/** Returns confidences: `confidences[i][j]` compares `first[i]` with `second[j]`. Scores equal those of a search. */
export async function compare(
  services: Pick<Services, 'embed' | 'scale'>,
  first: readonly Uint8Array[],
  second: readonly Uint8Array[],
): Promise<RpcResponse<'compare'>> {
  const embeddings = await services.embed([...first, ...second])
  const units = embeddings.map(unitVector)
  const others = [...units.entries()].slice(first.length)
  return {
    confidences: first.map((_, i) => {
      const { score, confidence } = services.scale.with(embeddings[i]!)
      return others.map(([j, other]) => confidence(score(dot(units[i]!, other, 0), embeddings[j])))
    }),
  }
}
