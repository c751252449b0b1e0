/** Finds the persons closest to a probe, by their evidence; and compares a stored face with persons. */
import { storeGallery } from '../../../../contract/model/gallery.ts'
import { leastScore } from '../../../calibration/scale.ts'
import { type FaceScope, personsInScope } from '../../../metadata/persons/template-faces.ts'
import { dot, unitVector } from '../../../vector-store/unit-vector.ts'
import type { Candidate, Shards } from '../../../vector-store/vector-store.ts'
import type { Services } from '../../services.ts'
import { availableVectors, type Evidence, scoreOf, storedEvidence } from './person-templates.ts'

/** A person, the score of their evidence, and their face that is closest to the probe. */
export interface ClosePerson {
  id: number
  score: number
  /** 0..1, four decimals. */
  confidence: number
  face: number
  /** Meta of the face. */
  meta: string
}

/** The closest face of a person, and its meta. */
interface NearestFace {
  id: number
  cosine: number
  meta: string
}

/** A search for persons with faces in a scope. */
interface PersonSearch extends FaceScope {
  /** Least confidence of the evidence. */
  threshold: number
  limit: number
  /** Persons that are left out. */
  except?: ReadonlySet<number>
}

export interface ClosestPersons extends Shards {
  /** By descending score, then ascending id. */
  persons: ClosePerson[]
  /** The closest faces of the gallery by falling cosine, also those without a person. */
  faces: readonly Candidate[]
}

/** Faces of the first round of a search. Each further round has four times as many. */
const FIRST_ROUND_FACES = 17
const MOST_FACES = 5_000

/** Further persons, above the limit, whose evidence is compared. */
const SPARE_PERSONS = 5

/** Persons whose evidence is read together. */
const PERSONS_PER_READ = 2

/**
 * Least length of the mean of a template's unit embeddings. When the closest face of a person has the cosine c, the template has at
 * most c / MEAN_LENGTH, and confirmed faces have at most c. Ten photos of one person have a mean of .8 when their mean cosine is
 * .6.
 */
const MEAN_LENGTH = 0.8

type SearchServices = Pick<Services, 'database' | 'vectors' | 'scale'>

/** Does not wait for unavailable shards: the caller decides whether the result suffices. */
export async function closestPersons(
  services: SearchServices,
  search: PersonSearch,
  probe: Float32Array,
): Promise<ClosestPersons> {
  const least = leastScore(services.scale, search.threshold)
  const bounds = { minScore: least > 0 ? least * MEAN_LENGTH : -1, withVectors: true }
  const gallery = storeGallery(search.owner, search.gallery)
  const wanted = search.limit + SPARE_PERSONS
  const compared = new Map<number, ClosePerson>()
  for (let limit = Math.max(FIRST_ROUND_FACES, 2 * wanted); ; limit *= 4) {
    const { candidates, live, total } = await services.vectors.search(gallery, probe, { ...bounds, limit })
    const nearest = await nearestPersons(services, search, candidates)
    const ranked = await rankedPersons(services, search, probe, {
      nearest: [...nearest].slice(0, wanted),
      compared,
      vectors: new Map(candidates.map(({ id, vector }) => [id, vector])),
    })
    const isLast = candidates.length < limit || limit >= MOST_FACES
    if (isLast || nearest.size >= wanted || isBeyond(candidates.at(-1)!.score, ranked[search.limit - 1])) {
      const persons = ranked.filter(({ confidence }) => confidence >= search.threshold).slice(0, search.limit)
      return { persons, faces: candidates, live, total }
    }
  }
}

/** Whether a person whose closest face has this cosine ranks behind this person. */
const isBeyond = (cosine: number, ranked: ClosePerson | undefined) =>
  ranked !== undefined && cosine < ranked.score * MEAN_LENGTH

/** Persons of the candidates and their closest faces, by falling cosine. */
async function nearestPersons(
  { database }: SearchServices,
  search: PersonSearch,
  candidates: readonly Candidate[],
): Promise<Map<number, NearestFace>> {
  const faces = await personsInScope(
    database,
    search,
    candidates.map(({ id }) => id),
  )
  const nearest = new Map<number, NearestFace>()
  for (const { id, score } of candidates) {
    const face = faces.get(id)
    if (!face || search.except?.has(face.person) || nearest.has(face.person)) continue
    nearest.set(face.person, { id, cosine: score, meta: face.meta })
  }
  return nearest
}

/** State of a round of a search. */
interface Compared {
  /** Persons and their closest faces, by falling cosine. */
  nearest: readonly (readonly [number, NearestFace])[]
  /** Persons whose evidence was compared. */
  compared: Map<number, ClosePerson>
  /** Vectors of the found faces. */
  vectors: ReadonlyMap<number, Float32Array | undefined>
}

/** Persons by descending score of their evidence: all that can be among the first `limit`. Adds to `compared`. */
async function rankedPersons(
  services: SearchServices,
  search: PersonSearch,
  probe: Float32Array,
  { nearest, compared, vectors }: Compared,
): Promise<ClosePerson[]> {
  const ranked = () => [...compared.values()].sort((a, b) => b.score - a.score || a.id - b.id)
  const fresh = nearest.filter(([id]) => !compared.has(id))
  for (let at = 0; at < fresh.length; at += PERSONS_PER_READ) {
    const next = fresh.slice(at, at + PERSONS_PER_READ)
    if (isBeyond(next[0]![1].cosine, ranked()[search.limit - 1])) break
    for (const person of await withEvidence(services, search, probe, { next, vectors }))
      compared.set(person.id, person)
  }
  return ranked()
}

/** The persons whose evidence is available, with its score. */
async function withEvidence(
  services: SearchServices,
  scope: PersonSearch,
  probe: Float32Array,
  { next, vectors }: Pick<Compared, 'vectors'> & { next: Compared['nearest'] },
): Promise<ClosePerson[]> {
  const unit = unitVector(probe)
  const ids = next.map(([id]) => id)
  const reading = { ...services, vectors: availableVectors(services) }
  const evidence = await storedEvidence(reading, scope, ids, vectors)
  return next.flatMap(([id, { id: face, meta }]) => {
    const theirs = evidence.get(id)
    if (!theirs) return []
    const score = scoreOf(theirs, unit)
    return [{ id, score, confidence: services.scale.confidence(score), face, meta }]
  })
}

/** The evidence of a person in a scope; undefined for a person without an available vector there. */
export async function evidenceOfPerson(
  services: SearchServices,
  scope: FaceScope,
  person: number,
): Promise<Evidence | undefined> {
  const reading = { ...services, vectors: availableVectors(services) }
  return (await storedEvidence(reading, scope, [person])).get(person)
}

export interface ComparedPerson {
  person: number
  /** The face of the evidence that is closest to the probe. */
  face: number
  /** Confidence of the evidence: 0..1, four decimals. */
  confidence: number
}

/** The persons among these who have faces in the scope, by descending confidence. Rejects with StoreUnavailable. */
export async function compareWithPersons(
  services: Pick<Services, 'database' | 'vectors' | 'scale'>,
  scope: FaceScope,
  probe: Float32Array,
  persons: readonly number[],
): Promise<ComparedPerson[]> {
  const unit = unitVector(probe)
  const compared: ComparedPerson[] = []
  for (const [person, evidence] of await storedEvidence(services, scope, persons)) {
    const cosines = [...evidence.units].map(([id, other]) => ({ id, cosine: dot(unit, other, 0) }))
    const [closest] = cosines.sort((a, b) => b.cosine - a.cosine)
    const confidence = services.scale.confidence(scoreOf(evidence, unit))
    compared.push({ person, face: closest!.id, confidence })
  }
  return compared.sort((a, b) => b.confidence - a.confidence)
}
