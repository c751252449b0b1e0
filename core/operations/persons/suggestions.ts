/** Suggests merges: pairs of persons with similar faces. */
import { FACE_LIMITS } from '../../../contract/limits/faces.ts'
import { DEFAULT_GALLERY } from '../../../contract/model/gallery.ts'
import type { PersonSuggestion } from '../../../contract/model/person.ts'
import type { RpcRequest, RpcResponse } from '../../../contract/operations/messages.ts'
import {
  type CountedPerson,
  countedPersons,
  personPage,
  personsOnSamePhotos,
} from '../../metadata/persons/person-summaries.ts'
import { separatedPersons } from '../../metadata/persons/template-faces.ts'
import type { Shards } from '../../vector-store/vector-store.ts'
import { faceAnswers } from '../face-answer.ts'
import { type ClosePerson, closestPersons, evidenceOfPerson } from '../search/closest/closest-persons.ts'
import {
  reportedShards,
  requireComplete,
  requireShards,
  retryOnShardLoss,
} from '../search/closest/live-shards.ts'
import type { Services } from '../services.ts'
import { personJudgement } from './assign.ts'

type Request = RpcRequest<'persons.suggestions'>

/**
 * For each person of a page, searches for the persons whose evidence is closest to its template. Each pair is found from its person
 * with the higher id. Persons on one photo together, and persons that a user separated, are no pair. Unavailable shards count as in
 * an identification.
 */
export const suggestPersons = (
  services: Services,
  request: Request,
): Promise<RpcResponse<'persons.suggestions'>> =>
  retryOnShardLoss(async again => {
    if (again) await services.vectors.reach()
    return suggestionsOf(services, request)
  })

async function suggestionsOf(
  services: Services,
  request: Request,
): Promise<RpcResponse<'persons.suggestions'>> {
  const { owner, strict = !services.options.tntapi_ignore_search_errors } = request
  requireComplete(services.missingVectors, strict)
  const { persons, older } = await personPage(services.database, owner, request)
  const { fpir } = request
  const judgement = fpir === undefined ? undefined : await personJudgement(services, owner)()
  const threshold = judgement ? judgement.bound(fpir!).threshold : request.threshold
  const suggestions: PersonSuggestion[] = []
  let shards: Shards | undefined
  for (const person of persons) {
    const found = await similarPersons(services, { ...request, threshold }, person, strict)
    if (!found) continue
    shards = { live: Math.min(found.live, shards?.live ?? found.live), total: found.total }
    suggestions.push(...(await pairsOf(services, owner, person, found.similar)))
  }
  const last = persons.at(-1)
  return {
    suggestions,
    ...(older && last && { next: last.id }),
    shards: shards && reportedShards(shards, services.missingVectors),
  }
}

/** Persons with lower ids, by descending confidence. Undefined for a person without a face to search with. */
async function similarPersons(
  services: Services,
  { owner, threshold }: Request,
  { id }: CountedPerson,
  strict: boolean,
): Promise<(Shards & { similar: ClosePerson[] }) | undefined> {
  const scope = { owner, gallery: DEFAULT_GALLERY }
  const evidence = await evidenceOfPerson(services, scope, id)
  if (!evidence) return undefined
  const search = { ...scope, threshold, limit: FACE_LIMITS.suggestionsPerPerson * 4, except: new Set([id]) }
  const { persons, live, total } = await closestPersons(services, search, evidence.template)
  requireShards({ live, total }, strict)
  return { live, total, similar: persons.filter(other => other.id < id) }
}

/** Suggestions for a person: the closest others that are not on one photo with the person, and that no user separated from it. */
async function pairsOf(
  services: Services,
  owner: string,
  person: CountedPerson,
  similar: readonly ClosePerson[],
): Promise<PersonSuggestion[]> {
  const candidates = similar.slice(0, FACE_LIMITS.suggestionsPerPerson * 2)
  if (candidates.length === 0 || person.best === null) return []
  const ids = candidates.map(({ id }) => id)
  const apart = new Set([
    ...(await personsOnSamePhotos(services.database, owner, person.id, ids)),
    ...(await separatedPersons(services.database, owner, person.id, ids)),
  ])
  const others = new Map((await countedPersons(services.database, owner, ids)).map(one => [one.id, one]))
  const shown = [person.best, ...candidates.map(({ face }) => face)]
  const faces = await faceAnswers(services, owner, shown)
  const own = faces.get(person.best)
  return candidates
    .flatMap(({ id, face: closest, confidence }) => {
      const [other, face] = [others.get(id), faces.get(closest)]
      if (!own || !other || !face || apart.has(id)) return []
      const pair = [
        { ...person, face: own },
        { ...other, face },
      ]
      return [{ confidence, persons: pair.map(({ id, meta, count, face }) => ({ id, meta, count, face })) }]
    })
    .slice(0, FACE_LIMITS.suggestionsPerPerson)
}

export const suggestionHandlers = {
  'persons.suggestions': suggestPersons,
}
