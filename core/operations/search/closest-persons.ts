/**
 * Finds the persons closest to a probe. A person's template is the normalised mean of the unit embeddings of its good faces. It is
 * computed from the stored faces at each search: no copy of it can be out of date.
 */
import { DEFAULT_GALLERY, storeGallery } from '../../../contract/model/gallery.ts'
import { leastCosine } from '../../calibration/scale.ts'
import { type FaceScope, personsInScope, templateFaces } from '../../metadata/queries/person-templates.ts'
import { dot, unitVector } from '../../vector-store/unit-vector.ts'
import { type Candidate, type Shards, StoreUnavailable } from '../../vector-store/vector-store.ts'
import type { Services } from '../services.ts'

/** A person, the score of their template, and their face that is closest to the probe. */
export interface ClosePerson {
  id: number
  score: number
  /** 0..1, four decimals. */
  confidence: number
  face: number
  /** Meta of the face. */
  meta: string
  /** Cosine of the face with the probe. */
  cosine: number
}

/** The closest face of a person, and its meta. */
interface NearestFace {
  id: number
  cosine: number
  meta: string
}

/** A search for persons with faces in a scope. */
export interface PersonSearch extends FaceScope {
  /** Least confidence of the template. */
  threshold: number
  limit: number
  /** Persons that are left out. */
  except?: ReadonlySet<number> | undefined
}

export interface ClosestPersons extends Shards {
  /** By descending score, then ascending id. */
  persons: ClosePerson[]
  /** The closest faces of the gallery by falling cosine, also those without a person. */
  faces: readonly Candidate[]
}

/** Faces of the first round of a search. Each further round has four times as many. */
const FIRST_ROUND = 100
const MOST_FACES = 6_400

/** Persons whose templates are compared, beside those of the limit. */
const SPARE_PERSONS = 16

/**
 * Least length of the mean of a template's unit embeddings. A person whose closest face has the cosine c has a template with a
 * cosine of at most c / MEAN_LENGTH. Ten photos of one person have a mean of .7 when their mean cosine is .43.
 */
const MEAN_LENGTH = 0.7

type SearchServices = Pick<Services, 'database' | 'vectors' | 'scale'>

/** Does not wait for unavailable shards: the caller decides whether the result suffices. */
export async function closestPersons(
  services: SearchServices,
  search: PersonSearch,
  probe: Float32Array,
): Promise<ClosestPersons> {
  const comparisons = services.scale.with(probe)
  const least = leastCosine(comparisons, search.threshold)
  const bounds = { minScore: least > 0 ? least * MEAN_LENGTH : -1 }
  const wanted = search.limit + SPARE_PERSONS
  for (let limit = FIRST_ROUND; ; limit *= 4) {
    const gallery = storeGallery(search.owner, search.gallery)
    const { candidates, live, total } = await services.vectors.search(gallery, probe, { ...bounds, limit })
    const nearest = await nearestPersons(services, search, candidates)
    const isLast = candidates.length < limit || limit >= MOST_FACES
    if (nearest.size < wanted && !isLast) continue
    const persons = await ranked(services, search, probe, [...nearest].slice(0, wanted))
    return { persons, faces: candidates, live, total }
  }
}

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

/** The persons at or above the threshold, at most `limit`. */
async function ranked(
  services: SearchServices,
  { limit, threshold, ...scope }: PersonSearch,
  probe: Float32Array,
  nearest: readonly (readonly [number, NearestFace])[],
): Promise<ClosePerson[]> {
  const unit = unitVector(probe)
  const { score, confidence } = services.scale.with(probe)
  const found: (ClosePerson & { ofTemplate: number })[] = []
  const templates = await templateFaces(
    services.database,
    scope,
    nearest.map(([id]) => id),
  )
  for (const [id, { id: face, cosine, meta }] of nearest) {
    const best = found[limit - 1]
    if (best && cosine < best.ofTemplate * MEAN_LENGTH) break
    const template = await templateOf(services, scope.owner, templates.get(id) ?? [face])
    if (!template) continue
    const ofTemplate = dot(unit, template, 0)
    const own = score(ofTemplate, template)
    found.push({ id, score: own, confidence: confidence(own), face, meta, cosine, ofTemplate })
    found.sort((a, b) => b.score - a.score || a.id - b.id)
  }
  return found
    .filter(one => one.confidence >= threshold)
    .slice(0, limit)
    .map(({ ofTemplate, ...person }) => person)
}

/** The normalised mean of these faces' unit embeddings; undefined when no vector is available. */
async function templateOf(
  { vectors }: SearchServices,
  owner: string,
  faces: readonly number[],
): Promise<Float32Array | undefined> {
  const gallery = storeGallery(owner, DEFAULT_GALLERY)
  const stored = await Promise.all(
    faces.map(id => vectors.get({ gallery, id }).catch(ignoreUnavailableShard)),
  )
  const units = stored.flatMap(vector => (vector ? [unitVector(vector)] : []))
  const [first] = units
  if (!first) return undefined
  const sum = first.map((_, i) => units.reduce((total, unit) => total + unit[i]!, 0))
  return unitVector(sum)
}

/** The caller decides by the counted shards whether the template suffices. */
function ignoreUnavailableShard(error: unknown): undefined {
  if (!(error instanceof StoreUnavailable)) throw error
}

/** The template of a person in a scope; undefined for a person without an available vector there. */
export async function templateOfPerson(
  services: SearchServices,
  scope: FaceScope,
  person: number,
): Promise<Float32Array | undefined> {
  const faces = (await templateFaces(services.database, scope, [person])).get(person)
  return faces && templateOf(services, scope.owner, faces)
}
