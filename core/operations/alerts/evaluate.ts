/** Evaluates alert rules on committed events: each event once for each rule, in the order of the commits. */
import { ALERT_LIMITS } from '../../../contract/limits/alerts.ts'
import type { AlertConditions } from '../../../contract/model/alert.ts'
import { DEFAULT_GALLERY, storeGallery } from '../../../contract/model/gallery.ts'
import { lastEventOf, type NewDelivery, pendingCounts } from '../../metadata/queries/deliveries.ts'
import { friendRule } from '../../metadata/queries/event-conditions.ts'
import { eventsAbove, type NumberedFace, newestEvent } from '../../metadata/queries/events.ts'
import { facePage, type StoredFace } from '../../metadata/queries/faces.ts'
import type { OwnedGallery } from '../../metadata/queries/false-alarms.ts'
import { existingGalleries } from '../../metadata/queries/galleries.ts'
import {
  alertsBehind,
  commitEvaluations,
  type Evaluation,
  firstFaceOf,
  type StoredAlert,
} from '../../metadata/queries/rules.ts'
import { cosine, unitVector } from '../../vector-store/unit-vector.ts'
import { StoreUnavailable } from '../../vector-store/vector-store.ts'
import { closestFaces } from '../search/closest-faces.ts'
import { falseAlarmBounds } from '../search/false-alarms.ts'
import { requireComplete, requireShards } from '../search/required-shards.ts'
import type { Services } from '../services.ts'
import { meetsConditions } from './conditions.ts'
import { startOf } from './deliveries.ts'

/**
 * Evaluates the next events of all rules that are behind. One transaction of an owner inserts the deliveries and advances the
 * positions of the rules: a crash loses and doubles none. Returns whether more events may wait.
 */
export async function evaluateAlerts(services: Services): Promise<boolean> {
  const behind = Map.groupBy(await alertsBehind(services.database), ({ owner }) => owner)
  let isMore = false
  for (const [owner, rules] of behind) {
    const pending = await pendingCounts(
      services.database,
      owner,
      rules.map(({ id }) => id),
    )
    // A rule whose receiver is away waits here, not in the outbox.
    const free = rules.filter(({ id }) => (pending.get(id) ?? 0) < ALERT_LIMITS.deliveriesPending)
    if (free.length > 0 && (await evaluateOwner(services, owner, free))) isMore = true
  }
  return isMore
}

async function evaluateOwner(
  services: Services,
  owner: string,
  rules: readonly StoredAlert[],
): Promise<boolean> {
  const { database } = services
  const above = Math.min(...rules.map(({ position }) => position))
  // Read first: all events up to it are committed.
  const newest = await newestEvent(database, owner)
  const limit = ALERT_LIMITS.chunk
  const page = await eventsAbove(database, friendRule(services), owner, { cameras: [] }, { above, limit })
  const isFull = page.length === limit
  const end = Math.max(above, page.at(-1)?.seq ?? 0, isFull ? 0 : newest)
  const evaluations: Evaluation[] = []
  for (const alert of rules.filter(({ position }) => position < end)) {
    const deliveries = await deliveriesOf(services, alert, page).catch(unlessUnavailable)
    if (deliveries) evaluations.push({ alert, position: end, deliveries })
  }
  const isCommitted = await services.diskSpace.adding(() => commitEvaluations(database, owner, evaluations))
  if (isCommitted && evaluations.some(({ deliveries }) => deliveries.length > 0)) services.events.wake(owner)
  return isFull && isCommitted && evaluations.length > 0
}

/** Rules that search stay behind while the vector store is unavailable. */
function unlessUnavailable(error: unknown): undefined {
  if (!(error instanceof StoreUnavailable)) throw error
}

/** The deliveries of a rule for the events of a page that it has not evaluated. */
async function deliveriesOf(
  services: Services,
  alert: StoredAlert,
  page: readonly NumberedFace[],
): Promise<NewDelivery[]> {
  const deliveries: NewDelivery[] = []
  const lastEvents = new Map<string, number>()
  for (const { seq, face } of page) {
    if (seq <= alert.position || !meetsConditions(alert.conditions, face)) continue
    const person = face.personId === null ? null : JSON.stringify(face.personId)
    if (person !== null && (await isCoolingDown(services, alert, { seq, person }, lastEvents))) continue
    const matches = await matchesOf(services, alert, face)
    if (!matches) continue
    if (person !== null) lastEvents.set(person, seq)
    deliveries.push({ face: face.id, event: seq, matches, ...startOf(alert, services.now()) })
  }
  return deliveries
}

/** Whether the rule had a message about the person within its cool-down. Numbers of events are times in microseconds. */
async function isCoolingDown(
  { database }: Services,
  { owner, id, conditions }: StoredAlert,
  { seq, person }: { seq: number; person: string },
  lastEvents: ReadonlyMap<string, number>,
): Promise<boolean> {
  const cooldown = conditions.cooldown_seconds * 1e6
  if (cooldown === 0) return false
  const last = lastEvents.get(person) ?? (await lastEventOf(database, owner, id, person))
  return last !== undefined && seq - last < cooldown
}

/** The matches in the gallery of the rule, empty without a gallery. Undefined when the face does not meet its conditions. */
async function matchesOf(
  services: Services,
  { owner, conditions }: StoredAlert,
  face: StoredFace,
): Promise<GalleryMatch[] | undefined> {
  const { gallery, unknown } = conditions
  if (gallery === undefined) {
    if (unknown === undefined) return []
    const isNew =
      face.personId !== null && (await firstFaceOf(services.database, owner, face.personId)) === face.id
    return isNew === unknown ? [] : undefined
  }
  const matches = await galleryMatches(services, face, { ...conditions, gallery })
  if (!matches) return undefined
  return (matches.length === 0) === (unknown ?? false) ? matches : undefined
}

/** A matching face and its confidence, 0..1. */
interface GalleryMatch {
  face: number
  confidence: number
}

/**
 * The faces of a gallery that match a stored face, by descending confidence; at most ALERT_LIMITS.matches. The assigned person
 * decides: other faces of the person match, and faces of other persons do not. Undefined when the gallery or the vector of the face does not exist. Rejects with StoreUnavailable unless
 * all vectors can be searched.
 */
async function galleryMatches(
  services: Services,
  face: StoredFace,
  { gallery, ...conditions }: AlertConditions & { gallery: string },
): Promise<GalleryMatch[] | undefined> {
  const { id, owner } = face
  const isThere =
    gallery === DEFAULT_GALLERY || (await existingGalleries(services.database, owner, [gallery])).has(gallery)
  const probe = isThere && (await services.vectors.get({ gallery: storeGallery(owner, DEFAULT_GALLERY), id }))
  if (!probe) return undefined
  requireComplete(services.missingVectors, true)
  const theirs = await facesOfPerson(services, face, gallery)
  if (theirs.length > 0) return compared(services, probe, owner, theirs)
  const threshold = await thresholdOf(services, { owner, gallery }, conditions)
  const isOfSomebodyElse = (other: StoredFace) =>
    face.personId !== null && other.personId !== null && other.personId !== face.personId
  const search = {
    ...{ owner, gallery, threshold, limit: ALERT_LIMITS.matches },
    accepts: (other: StoredFace) => other.id !== id && !isOfSomebodyElse(other),
  }
  const { found, ...shards } = await closestFaces(services, search, probe)
  requireShards(shards, true)
  return found.slice(0, ALERT_LIMITS.matches).map(({ id, confidence }) => ({ face: id, confidence }))
}

/** The newest other faces of the person of a face in a gallery, at most ALERT_LIMITS.matches. */
async function facesOfPerson(
  services: Services,
  { id, owner, personId }: StoredFace,
  gallery: string,
): Promise<number[]> {
  if (typeof personId !== 'number') return []
  const { faces } = await facePage(services.database, friendRule(services), owner, {
    person: personId,
    gallery: gallery === DEFAULT_GALLERY ? undefined : gallery,
    limit: ALERT_LIMITS.matches + 1,
  })
  const others = faces.map(face => face.id).filter(other => other !== id)
  return others.slice(0, ALERT_LIMITS.matches)
}

/** Compares a vector with stored faces. The result is sorted by descending confidence. */
async function compared(
  { vectors, scale }: Services,
  probe: Float32Array,
  owner: string,
  faces: readonly number[],
): Promise<GalleryMatch[]> {
  const unit = unitVector(probe)
  const { score, confidence } = scale.with(probe)
  const gallery = storeGallery(owner, DEFAULT_GALLERY)
  const matches = await Promise.all(
    faces.map(async id => {
      const vector = await vectors.get({ gallery, id })
      return vector ? [{ face: id, confidence: confidence(score(cosine(unit, vector), vector)) }] : []
    }),
  )
  return matches.flat().sort((a, b) => b.confidence - a.confidence)
}

/** The threshold of the rule, or the one that keeps its FPIR. */
const thresholdOf = async (
  services: Services,
  gallery: OwnedGallery,
  { threshold, fpir }: AlertConditions,
): Promise<number> =>
  fpir === undefined ? threshold : (await falseAlarmBounds(services, gallery, 'faces'))(fpir).threshold
