/**
 * Changes of persons with many faces take several transactions. The change is recorded first, and reconciliation completes it after
 * an error or a crash. Until then, other changes of these persons are refused.
 */
import { environment } from '../../../contract/environment.ts'
import { ServiceError } from '../../../contract/errors.ts'
import { type AuditEvent, idLists } from '../../metadata/audit-log/chain.ts'
import { deleteFaces, deletePersonWithFaces } from '../../metadata/face-changes/deletions.ts'
import type { IntentOperation } from '../../metadata/faces/intents.ts'
import {
  abandonedChanges,
  changingPersons,
  endPersonChange,
  isRecorded,
  type RecordedChange,
  recordPersonChange,
} from '../../metadata/persons/person-changes.ts'
import {
  changeInSteps,
  changeMetasInSteps,
  commitMerge,
  commitPersonMeta,
  type Ending,
  mergeInSteps,
  needSteps,
  personsById,
} from '../../metadata/persons/persons.ts'
import type { PersonChange } from '../../metadata/persons/schema.ts'
import type { Metadata } from '../services.ts'
import { type IntentServices, ignoreUnavailable, withDeletion } from './intent-log.ts'

/** Seconds after which a refused change of a person may be repeated. */
const RETRY_AFTER_SECONDS = 5

/** Throws SERVICE_UNAVAILABLE while one of these persons is being changed, or changed in this way. Call it under the lock of the owner. */
export async function refuseDuringChange(
  { database }: Metadata,
  owner: string,
  ids: readonly number[],
  kind?: PersonChange['kind'],
): Promise<void> {
  const changing = await changingPersons(database, owner, kind)
  if (!ids.some(id => changing.has(id))) return
  const reason = 'An earlier change of this person is not complete. Nothing was changed. Try again.'
  throw new ServiceError('SERVICE_UNAVAILABLE', { reason, retryAfter: RETRY_AFTER_SECONDS })
}

/** A change that moves or names faces. */
type Regrouping = Exclude<PersonChange, { kind: 'delete' }>

/**
 * Changes a person: with few faces in one transaction, otherwise in steps. `check` runs before anything is written. Returns the number of
 * changed faces; undefined when a person does not exist.
 */
export async function changePerson(
  services: IntentServices,
  { owner, person, change }: Omit<RecordedChange<Regrouping>, 'operation'>,
  check: () => Promise<void>,
): Promise<number | undefined> {
  const { database, ownerLock, activeIntents, lease } = services
  const ids = [person, ...(change.kind === 'merge' ? change.others : [])]
  const recorded = { operation: environment.id(), owner, person, change }
  activeIntents.add(recorded.operation)
  try {
    const answer = await ownerLock(owner, async revision => {
      await refuseDuringChange(services, owner, ids)
      await check()
      if (!(await needSteps(database, owner, ids)))
        return { changed: await end(services, recorded, { revision }) }
      await recordPersonChange(database, recorded, lease?.core, revision)
      return undefined
    })
    return answer ? answer.changed : await complete(services, recorded)
  } finally {
    activeIntents.delete(recorded.operation)
  }
}

/** Makes a recorded change. `isAbandoned`: returns undefined if another core has completed and recorded it. */
async function complete(services: IntentServices, recorded: RecordedChange<Regrouping>, isAbandoned = false) {
  const { database, ownerLock } = services
  const { operation, owner, person, change } = recorded
  const steps =
    change.kind === 'merge'
      ? await mergeInSteps(database, { owner, id: person, others: change.others })
      : await changeMetasInSteps(database, { owner, id: person, meta: change.meta }, change.faces)
  return ownerLock(owner, async revision =>
    (await isRecorded(database, recorded))
      ? end(services, recorded, { revision, steps, operation })
      : isAbandoned
        ? undefined
        : steps.changed,
  )
}

/** The last transaction. Persons that retention deleted since the record are left out. */
async function end(
  { database }: Metadata,
  { owner, person: id, change }: RecordedChange<Regrouping>,
  ending: Ending,
) {
  if (change.kind === 'update') {
    const { faces, meta, silent, portrait } = change
    return commitPersonMeta(database, { owner, id, meta, silent, portrait }, faces, ending)
  }
  const others = (await personsById(database, owner, change.others)).map(other => other.id)
  return commitMerge(database, { owner, id, others }, ending)
}

/** Deletes a person whose deletion is recorded, with all faces. Ends the record after `record`. Returns the ids of the faces. */
export async function completePersonDeletion(
  { database, ownerLock }: IntentServices,
  work: IntentOperation,
  recorded: Omit<RecordedChange, 'change'>,
  record: (faces: number[]) => Promise<void>,
): Promise<number[]> {
  const { owner, person: id } = recorded
  const faces: number[] = []
  await changeInSteps(database, { owner, id }, async ids => {
    const deleted = await deleteFaces(database, work, owner, { ids, person: id })
    faces.push(...deleted)
    return deleted.length
  })
  const last = await ownerLock(owner, revision =>
    deletePersonWithFaces(database, work, { owner, id }, revision),
  )
  faces.push(...(last ?? []))
  await record(faces)
  await endPersonChange(database, recorded)
  return faces
}

/** Completes changes of persons that an error or a crash interrupted, and records them. */
export async function completePersonChanges(services: IntentServices): Promise<void> {
  const { database, lease, activeIntents, diskSpace } = services
  for (const recorded of await abandonedChanges(database, lease?.core))
    if (!activeIntents.has(recorded.operation))
      await diskSpace.deleting(() => completeAbandoned(services, recorded)).catch(ignoreUnavailable)
}

async function completeAbandoned(services: IntentServices, { change, ...recorded }: RecordedChange) {
  const { owner, person } = recorded
  // The list may be old: after the end, the same persons may have been changed again.
  if (!(await isRecorded(services.database, recorded))) return
  const record = (event: Pick<AuditEvent, 'action' | 'subject'>) =>
    services.record({ actor: 'service', owner, ...event, subject: { person, ...event.subject } })
  if (change.kind === 'delete') {
    const recordDeletion = async (faces: number[]) => {
      for (const ids of idLists(faces)) await record({ action: 'person.delete', subject: { faces: ids } })
    }
    await withDeletion(services, owner, work =>
      completePersonDeletion(services, work, recorded, recordDeletion),
    )
    return
  }
  const count = await complete(services, { ...recorded, change }, true)
  if (count === undefined) return
  const changed = change.kind === 'merge' ? { persons: change.others } : { meta: 'changed' }
  await record({ action: `person.${change.kind}`, subject: { ...changed, count } })
}
