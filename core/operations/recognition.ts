/** Recognition: identification (1:N) in the enrolled faces of a gallery, and verification (1:1) of faces of two photos. */
import { badParam, ServiceError } from '../../contract/errors.ts'
import { FACE_LIMITS } from '../../contract/limits/faces.ts'
import type { Match } from '../../contract/model/face.ts'
import { DEFAULT_GALLERY } from '../../contract/model/gallery.ts'
import type { RpcRequest, RpcResponse } from '../../contract/operations/messages.ts'
import { personsById } from '../metadata/persons/persons.ts'
import { dot, unitVector } from '../vector-store/unit-vector.ts'
import type { Shards } from '../vector-store/vector-store.ts'
import { faceAnswer, faceAnswers } from './face-answer.ts'
import { checkGalleries } from './galleries/galleries.ts'
import { getPerson } from './persons/persons.ts'
import { closestFaces } from './search/closest/closest-faces.ts'
import { closestPersons, evidenceOfPerson } from './search/closest/closest-persons.ts'
import {
  reportedShards,
  requireComplete,
  requireShards,
  retryOnShardLoss,
} from './search/closest/live-shards.ts'
import { scoreOf } from './search/closest/person-templates.ts'
import { judgementOf, verdictField } from './search/judgement/judgement.ts'
import type { Services } from './services.ts'

/**
 * Returns one list of matches per chip, by descending confidence, then ascending id; and the shards that took part in all
 * searches. Rejects with StoreUnavailable when too few shards are live, and unavailable ones do not return in time.
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
  const { fpir, target = 'faces', strict = !services.options.tntapi_ignore_search_errors } = request
  requireComplete(services.missingVectors, strict)
  const judgement =
    fpir !== undefined || target === 'persons' ? await judgementOf(services, request, target) : undefined
  const bound = fpir === undefined ? undefined : judgement?.bound(fpir)
  const limit = Math.min(request.limit, Math.floor(FACE_LIMITS.matchesPerAnswer / probes.length))
  const search = { ...request, limit, threshold: bound?.threshold ?? request.threshold }
  const matches: Match[][] = []
  let shards: Shards | undefined
  for (const probe of probes) {
    const { found, live, total } = await (target === 'persons' ? personMatches : faceMatches)(
      services,
      search,
      probe,
    )
    matches.push(
      judgement ? found.map(match => ({ ...match, ...verdictField(judgement, match.confidence) })) : found,
    )
    shards = { live: Math.min(live, shards?.live ?? live), total }
    requireShards(shards, strict)
  }
  return { matches, bound, ...reportedShards(shards!, services.missingVectors) }
}

/** Matches and the shards that took part. */
type Matches = Shards & { found: Match[] }

async function faceMatches(
  services: Services,
  search: RpcRequest<'identify'>,
  probe: Float32Array,
): Promise<Matches> {
  const { found, live, total } = await closestFaces(services, search, probe)
  const matches = found
    .map(({ confidence, face }) => ({ confidence, face: faceAnswer(services, face) }))
    .sort((a, b) => b.confidence - a.confidence || a.face.id - b.face.id)
    .slice(0, search.limit)
  return { found: matches, live, total }
}

async function personMatches(
  services: Services,
  search: RpcRequest<'identify'>,
  probe: Float32Array,
): Promise<Matches> {
  const { owner } = search
  const { persons, live, total } = await closestPersons(services, search, probe)
  const ids = persons.map(({ face }) => face)
  const faces = await faceAnswers(services, owner, ids)
  const stored = await personsById(
    services.database,
    owner,
    persons.map(({ id }) => id),
  )
  const known = new Map(stored.map(({ id, meta }) => [id, { id, meta }]))
  const found = persons.flatMap(({ id, confidence, face: closest }) => {
    const [face, person] = [faces.get(closest), known.get(id)]
    return face && person ? [{ confidence, face, person }] : []
  })
  return { found, live, total }
}

/** Returns confidences: `confidences[i][j]` compares `first[i]` with `second[j]`. A search gives equal scores. */
export async function compare(
  services: Pick<Services, 'embed' | 'scale'>,
  first: readonly Uint8Array[],
  second: readonly Uint8Array[],
): Promise<RpcResponse<'compare'>> {
  const embeddings = await services.embed([...first, ...second])
  return {
    confidences: confidencesOf(services, embeddings.slice(0, first.length), embeddings.slice(first.length)),
  }
}

/**
 * Compares chips with the evidence of a person. Throws NOT_FOUND for an unknown person, and BAD_PARAM for one without faces.
 * Rejects with StoreUnavailable when the shards with the faces of the person are unavailable.
 */
export const compareWithPerson = (
  services: Services,
  { owner, id }: { owner: string; id: number },
  chips: readonly Uint8Array[],
): Promise<RpcResponse<'compare'>> =>
  retryOnShardLoss(async again => {
    if (again) await services.vectors.reach()
    const { person } = await getPerson(services, { owner, id })
    const evidence = await evidenceOfPerson(services, { owner, gallery: DEFAULT_GALLERY }, id)
    if (!evidence) {
      // Unavailable shards are no proof that the person has no faces.
      await services.vectors.reach()
      throw badParam('person_id', id, 'The person has no faces to compare with.')
    }
    const confidences = (await services.embed(chips)).map(probe =>
      services.scale.confidence(scoreOf(evidence, unitVector(probe))),
    )
    const judgement = await judgementOf(services, { owner, gallery: DEFAULT_GALLERY }, 'persons')
    const verdicts = confidences.map(confidence => judgement.verdict(confidence, 1) ?? null)
    return { confidences: confidences.map(confidence => [confidence]), verdicts, person }
  })

function confidencesOf(
  { scale }: Pick<Services, 'scale'>,
  probes: readonly Float32Array[],
  references: readonly Float32Array[],
): number[][] {
  const units = references.map(unitVector)
  return probes.map(probe => {
    const unit = unitVector(probe)
    return units.map(reference => scale.confidence(dot(unit, reference, 0)))
  })
}
