/** Evaluates alert rules on committed events: each event once for each rule, in the order of the commits. Keeps cool-downs. */
import { IDS_OF_A_SECOND } from '../../../contract/ids.ts'
import { ALERT_LIMITS } from '../../../contract/limits/alerts.ts'
import { nameOfPerson } from '../../../contract/model/person.ts'
import {
  alertedPersons,
  keyOfMatch,
  lastFaceMatching,
  lastFaceOf,
  type NewDelivery,
  pendingCounts,
} from '../../metadata/alerts/deliveries.ts'
import {
  alertsBehind,
  commitEvaluations,
  type Evaluation,
  firstFaceOf,
  type StoredAlert,
} from '../../metadata/alerts/rules.ts'
import { eventsAbove, type NumberedFace, newestEvent } from '../../metadata/events/events.ts'
import { friendRule } from '../../metadata/faces/event-conditions.ts'
import { faceById, type StoredFace } from '../../metadata/faces/faces.ts'
import { personById } from '../../metadata/persons/persons.ts'
import { StoreUnavailable } from '../../vector-store/vector-store.ts'
import { isPoor } from '../persons/assign.ts'
import type { Metadata, Services } from '../services.ts'
import { isLeftOut, meetsConditions } from './conditions.ts'
import { browsersOf, startsOf } from './deliveries.ts'
import { type GalleryMatch, galleryMatches } from './gallery-matches.ts'

/**
 * Evaluates the next events of all rules that are behind. One transaction of an owner inserts the deliveries and advances the
 * positions of the rules: a crash loses and doubles none. Returns whether more events may wait. `failed` gets the errors of owners
 * and rules, which stay behind alone.
 */
export async function evaluateAlerts(services: Services, failed: (error: unknown) => void): Promise<boolean> {
  const behind = Map.groupBy(await alertsBehind(services.database), ({ owner }) => owner)
  let isMore = false
  for (const [owner, rules] of behind) {
    try {
      if (await evaluateRules(services, owner, rules, failed)) isMore = true
    } catch (error) {
      failed(error)
    }
  }
  return isMore
}

/** Evaluates the next events of the rules of an owner. */
async function evaluateRules(
  services: Services,
  owner: string,
  rules: readonly StoredAlert[],
  failed: (error: unknown) => void,
) {
  const ids = rules.map(({ id }) => id)
  const pending = await pendingCounts(services.database, owner, ids)
  // A rule whose receiver is away waits here, not in the outbox.
  const free = rules.filter(({ id }) => (pending.get(id) ?? 0) < ALERT_LIMITS.deliveriesPending)
  let isMore = false
  for (const [above, together] of Map.groupBy(free, ({ position }) => position))
    if (await evaluateAbove(services, owner, { above, rules: together }, failed)) isMore = true
  return isMore
}

/** Evaluates the events above a position for the rules that have it. */
async function evaluateAbove(
  services: Services,
  owner: string,
  { above, rules }: { above: number; rules: readonly StoredAlert[] },
  failed: (error: unknown) => void,
) {
  const { database } = services
  // Read first: all events up to it are committed.
  const newest = await newestEvent(database, owner)
  const browsers = rules.some(rule => rule.browsers) ? await browsersOf(database, owner, services.now()) : []
  const most = Math.ceil(ALERT_LIMITS.chunkDeliveries / (rules.length * (browsers.length + 1)))
  const limit = Math.min(ALERT_LIMITS.chunk, most)
  const page = await eventsAbove(database, friendRule(services), owner, { cameras: [] }, { above, limit })
  const isFull = page.length === limit
  const end = Math.max(above, page.at(-1)?.seq ?? 0, isFull ? 0 : newest)
  if (end === above) return false
  const evaluations: Evaluation[] = []
  for (const alert of rules) {
    const deliveries = await deliveriesOf(services, alert, page, browsers).catch(error => {
      // A rule that cannot search stays behind alone.
      if (!(error instanceof StoreUnavailable)) throw error
      failed(error)
    })
    if (deliveries) evaluations.push({ alert, position: end, deliveries })
  }
  const isCommitted = await services.diskSpace.adding(() => commitEvaluations(database, owner, evaluations))
  if (isCommitted && evaluations.some(({ deliveries }) => deliveries.length > 0)) services.events.wake(owner)
  return isFull && isCommitted && evaluations.length > 0
}

/** The deliveries of a rule for the events of a page. */
async function deliveriesOf(
  services: Services,
  alert: StoredAlert,
  page: readonly NumberedFace[],
  browsers: readonly string[],
): Promise<NewDelivery[]> {
  const deliveries: NewDelivery[] = []
  const lastFaces = new Map<string, number>()
  for (const { seq, face, updated, added } of page) {
    if (added || !meetsConditions(alert.conditions, face)) continue
    if (deliveries.some(delivery => delivery.face === face.id)) continue
    if (updated && !(await mayAlertAgain(services, alert, face))) continue
    const matches = await matchesToTell(services, alert, face, lastFaces)
    if (!matches) continue
    const about = { face: face.id, event: seq, matches }
    deliveries.push(...startsOf(alert, about, browsers, services.now()))
  }
  return deliveries
}

/**
 * The matches that a message about a face has. Undefined when the rule has no message about it: a condition does not hold, or the
 * person or the best match is left out or cooling down. Adds the face to `lastFaces`.
 */
async function matchesToTell(
  services: Services,
  alert: StoredAlert,
  face: StoredFace,
  lastFaces: Map<string, number>,
): Promise<GalleryMatch[] | undefined> {
  const person = face.personId === null ? undefined : JSON.stringify(face.personId)
  if (await isCoolingDown(services, alert, { face: face.id, key: person }, lastFaces)) return undefined
  const matches = await matchesOf(services, alert, face)
  const [best] = matches ?? []
  const matched = best && (await faceById(services.database, friendRule(services), alert.owner, best.face))
  if (matched && isLeftOut(alert.conditions, matched)) return undefined
  const key = matched && keyOfMatch(matched)
  if (await isCoolingDown(services, alert, { face: face.id, key, isMatch: true }, lastFaces)) return undefined
  if (matches) for (const told of [person, key]) if (told !== undefined) lastFaces.set(told, face.id)
  return matches
}

/** Whether a rule may alert to a face with a better picture: it has not yet, or the unknown person has a name now. */
async function mayAlertAgain({ database }: Metadata, { owner, id }: StoredAlert, face: StoredFace) {
  const persons = await alertedPersons(database, owner, { alert: id, face: face.id })
  return persons.length === 0 || (face.meta !== '' && persons.every(person => person === null))
}

/**
 * Whether the rule had a message about a person, or with this best match, within its cool-down. The ids of the faces have the
 * times. Ids of a clock that was ahead count as far away. False without a key. `lastFaces` are the faces of the page, by their
 * keys.
 */
async function isCoolingDown(
  { database }: Services,
  { owner, id, conditions }: StoredAlert,
  { face, key, isMatch = false }: { face: number; key: string | undefined; isMatch?: boolean },
  lastFaces: ReadonlyMap<string, number>,
) {
  const cooldown = conditions.cooldown_seconds * IDS_OF_A_SECOND
  if (cooldown === 0 || key === undefined) return false
  const isNear = (last: number | undefined) => last !== undefined && Math.abs(face - last) < cooldown
  if (isNear(lastFaces.get(key) ?? (await lastFaceOf(database, owner, id, key)))) return true
  // Ids of deliveries are times in microseconds, or above them.
  const since = Math.floor(((face - cooldown) / IDS_OF_A_SECOND) * 1e6)
  return isMatch && isNear(await lastFaceMatching(database, owner, id, { key, since }))
}

/** The matches in the gallery of the rule, empty without a gallery. Undefined when the face does not meet its conditions. */
async function matchesOf(
  services: Services,
  { conditions }: StoredAlert,
  face: StoredFace,
): Promise<GalleryMatch[] | undefined> {
  const { gallery, unknown } = conditions
  // A poor face does not show whether a person is unknown.
  if (unknown && isPoor(face)) return undefined
  if (gallery === undefined) {
    if (unknown === undefined) return []
    if (face.personId === null) return undefined
    return (await isKnown(services, face, face.personId)) === unknown ? undefined : []
  }
  const matches = await galleryMatches(services, face, { ...conditions, gallery })
  if (!matches) return undefined
  return (matches.length === 0) === (unknown ?? false) ? matches : undefined
}

/** Whether the person of a face has a name, or was seen before. */
async function isKnown({ database }: Services, { id, owner }: StoredFace, personId: number | string) {
  if ((await firstFaceOf(database, owner, personId)) !== id) return true
  const person = await personById(database, owner, personId)
  return person !== undefined && nameOfPerson(person.meta) !== ''
}
