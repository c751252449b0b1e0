/**
 * Groups the stored faces of an owner to persons, in the background. It assigns each face like a new one, in sequence. Then it
 * joins automatic persons to others without a name that are certainly the same. Each step is one transaction with the position: a
 * stop or a crash loses nothing.
 */
import { environment } from '../../../contract/environment.ts'
import { badParam } from '../../../contract/errors.ts'
import { FACE_LIMITS } from '../../../contract/limits/faces.ts'
import { DEFAULT_GALLERY, storeGallery } from '../../../contract/model/gallery.ts'
import { nameOfPerson, type PersonGrouping } from '../../../contract/model/person.ts'
import type { Change, RpcRequest, RpcResponse } from '../../../contract/operations/messages.ts'
import { changingPersons } from '../../metadata/persons/person-changes.ts'
import {
  cameraOfPerson,
  commitGroupingStep,
  commitJoin,
  facesToGroup,
  forgetGrouping,
  type Grouping,
  groupingOf,
  groupingOwners,
  keepNamedInRules,
  namelessPersons,
  nextToGroup,
  nextToJoin,
  takeBackFaces,
  takeBackPersons,
} from '../../metadata/persons/person-groupings.ts'
import { personsOnSamePhotos } from '../../metadata/persons/person-summaries.ts'
import { personById } from '../../metadata/persons/persons.ts'
import { brokenConstraint } from '../../metadata/revisions.ts'
import { ignoreUnavailable } from '../consistency/intent-log.ts'
import { type RepeatedTask, repeatedly } from '../repeatedly.ts'
import { closestPersons, evidenceOfPerson } from '../search/closest/closest-persons.ts'
import { requireShards } from '../search/closest/live-shards.ts'
import type { Metadata, Services } from '../services.ts'
import { assignPersons, personJudgement } from './assign.ts'

const NO_GROUPING: PersonGrouping = { state: 'none', faces: 0, examined: 0, assigned: 0, persons: 0 }

const answerOf = (grouping: Grouping | undefined): PersonGrouping => {
  if (!grouping) return NO_GROUPING
  const { state, faces, examined, assigned, persons } = grouping
  return { state, faces, examined, assigned, persons }
}

/** The progress of the owner's grouping. */
export const getGrouping = async (
  { database }: Metadata,
  { owner }: RpcRequest<'persons.grouping'>,
): Promise<RpcResponse<'persons.grouping'>> => ({ grouping: answerOf(await groupingOf(database, owner)) })

/** Starts, stops or undoes the owner's grouping; the task does the work. Throws BAD_PARAM for a start during an undo. */
export const changeGrouping = (
  services: Services,
  { owner, action }: Change<'persons.group'>,
): Promise<RpcResponse<'persons.group'>> =>
  services.ownerLock(owner, async revision => {
    const present = await groupingOf(services.database, owner)
    const next = await groupingAfter(services, owner, present, action)
    if (next) await commitGroupingStep(services.database, { grouping: next, revision })
    return { grouping: answerOf(next ?? present) }
  })

/** The state after an action; undefined when it changes nothing. */
async function groupingAfter(
  { database }: Services,
  owner: string,
  present: Grouping | undefined,
  action: Change<'persons.group'>['action'],
): Promise<Grouping | undefined> {
  if (action === 'stop') return present?.state === 'running' ? { ...present, state: 'stopped' } : undefined
  if (action === 'undo')
    return present && present.state !== 'undoing' ? { ...present, state: 'undoing' } : undefined
  if (present?.state === 'running') return undefined
  if (present?.state === 'undoing')
    throw badParam('action', action, 'The grouping is being undone. Start it again after that.')
  const stopped = present?.state === 'stopped' ? present : undefined
  const { faces, last } = await facesToGroup(database, owner, stopped?.position ?? -1)
  if (stopped) return { ...stopped, state: 'running', last, faces: stopped.examined + faces }
  const { assigned = 0, persons = 0 } = present ?? {}
  return { owner, state: 'running', position: -1, last, faces, examined: 0, assigned, persons, joined: null }
}

/** Continues all groupings, and their undos, until none is left or `isStopping`. Rejects with StoreUnavailable. */
export async function continueGroupings(services: Services, isStopping: () => boolean): Promise<void> {
  for (let owners = await groupingOwners(services.database); owners.length > 0; ) {
    for (const owner of owners)
      for (let steps = 0; steps < FACE_LIMITS.groupingSteps; steps++) {
        if (isStopping()) return
        if (!(await step(services, owner))) break
        await environment.turn()
      }
    owners = await groupingOwners(services.database)
  }
}

/** One step under the lock of the owner. False when there is nothing left to do. */
const step = (services: Services, owner: string) =>
  services.diskSpace.adding(() =>
    services.ownerLock(owner, async revision => {
      const grouping = await groupingOf(services.database, owner)
      if (grouping?.state === 'undoing') return undoStep(services, owner, revision)
      return grouping?.state === 'running' && groupNext(services, grouping, revision)
    }),
  )

const NONE_ASSIGNED = { faces: [], persons: [] }

async function groupNext(services: Services, grouping: Grouping, revision: number | undefined) {
  const { database, vectors } = services
  const { owner } = grouping
  const face = await nextToGroup(database, grouping)
  if (!face) return joinNext(services, grouping, revision)
  const embedding = await vectors.get({ gallery: storeGallery(owner, DEFAULT_GALLERY), id: face.id })
  const found = embedding ? await assignPersons(services, owner, [{ face, embedding }]) : NONE_ASSIGNED
  // Users are asked about a face with a candidate: it founds no person when the candidate has become less probable.
  const { faces, persons } = face.candidate !== null && found.persons.length > 0 ? NONE_ASSIGNED : found
  const [examined] = faces
  const personId = examined?.personId
  const isAssigned = typeof personId === 'number'
  const person = await personById(database, owner, personId)
  const next = {
    ...grouping,
    position: face.id,
    examined: grouping.examined + 1,
    assigned: grouping.assigned + Number(isAssigned),
    persons: grouping.persons + persons.length,
  }
  const changed = examined && { ...examined, meta: face.meta, name: nameOfPerson(person?.meta ?? '') }
  try {
    await commitGroupingStep(database, { grouping: next, face: changed, persons, revision })
  } catch (error) {
    // The face was deleted during the step: deletions take no lock. The next step does not find it.
    if (brokenConstraint(error)?.kind !== 'reference') throw error
  }
  return true
}

/** Joins the next person to a person with a lower id, if they are certainly one. */
async function joinNext(services: Services, grouping: Grouping, revision: number | undefined) {
  const { database, record } = services
  const { owner, assigned, persons } = grouping
  const person = await nextToJoin(database, owner, grouping.joined ?? -1)
  if (!person) {
    await commitGroupingStep(database, { grouping: { ...grouping, state: 'complete' }, revision })
    await record({ actor: 'service', owner, action: 'persons.grouped', subject: { assigned, persons } })
    return false
  }
  const { id: from, isMade } = person
  const to = await personToJoin(services, owner, from)
  const next = { ...grouping, joined: from }
  if (to === undefined) await commitGroupingStep(database, { grouping: next, revision })
  else {
    const left = { ...next, persons: persons - Number(isMade) }
    await commitJoin(database, { grouping: left, from, to, revision })
  }
  return true
}

/** Share of the automatic persons that may join a wrong person: each one is compared with all others. */
const JOIN_FPIR = 1e-5

/** Persons that are compared in case that the closest one is impossible. */
const CONSIDERED = 5

/**
 * The closest person with a lower id, if both are certainly one and not on one photo. Undefined also when a person with a name is
 * closer. Rejects with StoreUnavailable.
 */
async function personToJoin(services: Services, owner: string, person: number): Promise<number | undefined> {
  const { database, options } = services
  const camera = options.person_identify_global ? undefined : await cameraOfPerson(database, owner, person)
  if (camera === undefined && !options.person_identify_global) return undefined
  const scope = { owner, gallery: DEFAULT_GALLERY, camera }
  const evidence = await evidenceOfPerson(services, scope, person)
  if (!evidence) return undefined
  const judgement = await personJudgement(services, owner)()
  const certain = judgement.bound(JOIN_FPIR).threshold
  const threshold = Math.max(certain, options.person_identify_threshold ?? 0)
  const search = { ...scope, threshold, limit: CONSIDERED, except: new Set([person]) }
  const closest = await closestPersons(services, search, evidence.template)
  requireShards(closest, true)
  const ids = closest.persons.map(({ id }) => id)
  const changing = await changingPersons(database, owner)
  if (ids.length === 0 || [person, ...ids].some(id => changing.has(id))) return undefined
  const nameless = await namelessPersons(database, owner, ids)
  const apart = await personsOnSamePhotos(database, owner, person, ids)
  const best = ids.find(id => !apart.includes(id) && (id < person || !nameless.has(id)))
  return best !== undefined && nameless.has(best) ? best : undefined
}

async function undoStep({ database }: Services, owner: string, revision: number | undefined) {
  await keepNamedInRules(database, owner)
  if ((await takeBackFaces(database, owner, FACE_LIMITS.groupingUndone, revision)) > 0) return true
  if ((await takeBackPersons(database, owner, FACE_LIMITS.groupingUndone)) > 0) return true
  await forgetGrouping(database, owner)
  return false
}

/** Continues groupings while requests are served. `failed` receives errors other than unavailable parts. */
export const groupRepeatedly = (services: Services, failed: (error: unknown) => void): RepeatedTask =>
  repeatedly(FACE_LIMITS.groupingEveryMs, isStopping =>
    continueGroupings(services, isStopping).catch(ignoreUnavailable).catch(failed),
  )

export const groupingHandlers = {
  'persons.grouping': getGrouping,
  'persons.group': changeGrouping,
}
