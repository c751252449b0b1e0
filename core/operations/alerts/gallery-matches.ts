/** Finds who of the gallery of a rule a face of a camera shows: by its assigned person, or else by comparison. */
import { ALERT_LIMITS } from '../../../contract/limits/alerts.ts'
import { SEARCH_LIMITS } from '../../../contract/limits/faces.ts'
import type { AlertConditions } from '../../../contract/model/alert.ts'
import type { Verdict } from '../../../contract/model/face.ts'
import { DEFAULT_GALLERY, storeGallery } from '../../../contract/model/gallery.ts'
import { foldName, nameOfPerson, type Person } from '../../../contract/model/person.ts'
import type { StoredFace } from '../../metadata/faces/faces.ts'
import { existingGalleries } from '../../metadata/galleries/galleries.ts'
import { personById, personsById, personsNamed } from '../../metadata/persons/persons.ts'
import { exclusionsOf, type FaceScope, separatedPersons } from '../../metadata/persons/template-faces.ts'
import { closestFaces } from '../search/closest/closest-faces.ts'
import { type ComparedPerson, closestPersons, compareWithPersons } from '../search/closest/closest-persons.ts'
import { requireShards } from '../search/closest/live-shards.ts'
import { type Judgement, judgementOf, verdictField } from '../search/judgement/judgement.ts'
import type { Services } from '../services.ts'

/** A face of the gallery. Its person's confidence (0..1), if it has a person. */
export interface GalleryMatch {
  face: number
  confidence: number
  verdict?: Verdict
}

/** A face, its embedding and its person, and what decides whether a person of the gallery matches. */
interface Comparison {
  face: StoredFace
  probe: Float32Array
  person: Person | undefined
  scope: FaceScope
  conditions: Pick<AlertConditions, 'threshold' | 'fpir' | 'unknown'>
}

const MOST_MATCHES = ALERT_LIMITS.matches

/**
 * At most MOST_MATCHES matches, persons first. The assigned person decides if it, or a person of its name, has other faces in the gallery.
 * Otherwise the face is compared with the persons of the gallery, and with its faces without a person. Undefined when the
 * gallery or the vector of the face does not exist. Rejects with StoreUnavailable
 * while a shard is away; damaged vectors may stay away, and stop no rule.
 */
export async function galleryMatches(
  services: Services,
  face: StoredFace,
  { gallery, ...conditions }: AlertConditions & { gallery: string },
): Promise<GalleryMatch[] | undefined> {
  const { database, vectors } = services
  const { id, owner, personId, candidate } = face
  const isThere =
    gallery === DEFAULT_GALLERY || (await existingGalleries(database, owner, [gallery])).has(gallery)
  const probe = isThere && (await vectors.get({ gallery: storeGallery(owner, DEFAULT_GALLERY), id }))
  if (!probe) return undefined
  const person = await personById(database, owner, personId)
  const comparison = { face, probe, person, scope: { owner, gallery, without: id }, conditions }
  const judgement = await judgementOf(services, { owner, gallery }, 'persons')
  // A face that probably shows a person of the gallery is not unknown there.
  const likely = conditions.unknown ? candidate : null
  const known = person ?? (await personById(database, owner, likely))
  const own = await ownMatches(services, { ...comparison, person: known })
  const persons = own.length > 0 ? own : await similarPersons(services, comparison, judgement)
  const matches = persons
    .slice(0, MOST_MATCHES)
    .map(({ face, confidence }) => ({ face, confidence, ...verdictField(judgement, confidence) }))
  // The assigned person leaves no question.
  if (own.length > 0 || matches.length === MOST_MATCHES) return matches
  return [...matches, ...(await similarFaces(services, comparison, MOST_MATCHES - matches.length))]
}

/** The person of the face, and persons of its name, who have other faces in the gallery. */
async function ownMatches(
  services: Services,
  { probe, person, scope }: Comparison,
): Promise<ComparedPerson[]> {
  if (!person) return []
  const name = nameOfPerson(person.meta)
  const named = name === '' ? [] : await personsNamed(services.database, scope.owner, name, MOST_MATCHES)
  const ids = new Set([person.id, ...named.map(({ id }) => id)])
  return compareWithPersons(services, scope, probe, [...ids])
}

/** The threshold of the rule. A probable match suffices to be known. */
function thresholdOf({ threshold, fpir, unknown }: Comparison['conditions'], judgement: Judgement) {
  const asked = fpir === undefined ? threshold : judgement.bound(fpir).threshold
  return unknown ? Math.min(asked, judgement.bound(SEARCH_LIMITS.probableFpir).threshold) : asked
}

/** Persons of the gallery who resemble the face, and who can be its person. */
async function similarPersons(
  services: Services,
  { face: { id, owner }, probe, person, scope, conditions }: Comparison,
  judgement: Judgement,
): Promise<Pick<ComparedPerson, 'face' | 'confidence'>[]> {
  const { database } = services
  const excluded = await exclusionsOf(database, owner, [id])
  const search = { ...scope, threshold: thresholdOf(conditions, judgement), limit: MOST_MATCHES }
  const except = new Set(excluded.map(exclusion => exclusion.person))
  const { persons, live, total } = await closestPersons(services, { ...search, except }, probe)
  requireShards({ live, total }, true)
  const ids = persons.map(({ id }) => id)
  if (!person || ids.length === 0) return persons
  // A person with a name does not match persons of another name.
  const name = foldName(person.meta)
  const stored = name === '' ? [] : await personsById(database, owner, ids)
  const others = new Set([
    ...(await separatedPersons(database, owner, person.id, ids)),
    ...stored.filter(({ meta }) => foldName(meta) !== '').map(({ id }) => id),
  ])
  return persons.filter(({ id }) => !others.has(id))
}

/** Faces without a person of the service that resemble the face. A text is the caller's word for a person. */
async function similarFaces(
  services: Services,
  { face: { id, personId }, probe, scope, conditions }: Comparison,
  limit: number,
): Promise<GalleryMatch[]> {
  const hasNoPerson = (other: StoredFace) =>
    other.personId === null || (typeof other.personId === 'string' && typeof personId !== 'string')
  const judgement = await judgementOf(services, scope, 'faces')
  const search = {
    ...scope,
    threshold: thresholdOf(conditions, judgement),
    limit,
    accepts: (other: StoredFace) => other.id !== id && (hasNoPerson(other) || other.personId === personId),
  }
  const { found, ...shards } = await closestFaces(services, search, probe)
  requireShards(shards, true)
  return found
    .slice(0, limit)
    .map(({ id, confidence }) => ({ face: id, confidence, ...verdictField(judgement, confidence) }))
}
