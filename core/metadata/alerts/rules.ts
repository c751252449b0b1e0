/** All queries on alert rules and on the persons that they are about. */
import { and, asc, count, eq, exists, gt, inArray, isNotNull, min, not, or, type SQL, sql } from 'drizzle-orm'
import { OWNER_NOT_DELETED } from '../access/owners.ts'
import type { Database } from '../database.ts'
import { brokenConstraint, detectConcurrentChange, guardRevision } from '../revisions.ts'
import { events, faces, owners, persons } from '../schema.ts'
import { insertDeliveries, type NewDelivery } from './deliveries.ts'
import { alerts, deliveries } from './schema.ts'

export type StoredAlert = typeof alerts.$inferSelect

/** The fields of a rule that can change. */
type AlertChange = Partial<
  Pick<
    StoredAlert,
    'name' | 'enabled' | 'url' | 'format' | 'browsers' | 'conditions' | 'secrets' | 'origin' | 'position'
  >
>

const isRule = (owner: string, id: string) => and(eq(alerts.owner, owner), eq(alerts.id, id))

/** Inserts a rule unless the owner has `most` rules. Returns whether it was inserted. */
export async function insertAlert(
  database: Database,
  owner: string,
  alert: StoredAlert,
  most: number,
): Promise<boolean> {
  const held = database.select({ count: count() }).from(alerts).where(eq(alerts.owner, owner))
  const { id, created, name, enabled, url, format, browsers, conditions, secrets, origin, position } = alert
  const { rowsAffected } = await database.run(sql`
    INSERT INTO alerts (id, owner, created, name, enabled, url, format, browsers, conditions, secrets, origin, position)
    SELECT ${id}, ${owner}, ${created}, ${name}, ${enabled ? 1 : 0}, ${url}, ${format}, ${browsers ? 1 : 0},
      ${JSON.stringify(conditions)}, ${JSON.stringify(secrets)}, ${origin}, ${position}
    WHERE (${held}) < ${most}`)
  return rowsAffected > 0
}

export async function alertById(
  database: Database,
  owner: string,
  id: string,
): Promise<StoredAlert | undefined> {
  const [alert] = await database.select().from(alerts).where(isRule(owner, id))
  return alert
}

/** The owner's rules, oldest first. */
export const alertsOf = (database: Database, owner: string): Promise<StoredAlert[]> =>
  database.select().from(alerts).where(eq(alerts.owner, owner)).orderBy(asc(alerts.created), asc(alerts.id))

/** Disables a rule whose receiver at this URL is gone. */
export async function disableAlert(
  database: Database,
  { owner, id, url }: Pick<StoredAlert, 'owner' | 'id' | 'url'>,
): Promise<void> {
  await database
    .update(alerts)
    .set({ enabled: false })
    .where(and(isRule(owner, id), eq(alerts.url, url)))
}

/** Changes a rule and returns it; undefined when the owner does not have it. Rejects with ConcurrentChange. */
export async function updateAlert(
  database: Database,
  owner: string,
  id: string,
  change: AlertChange,
  revision: number | undefined,
): Promise<StoredAlert | undefined> {
  const [[alert]] = await detectConcurrentChange(() =>
    database.batch([
      database.update(alerts).set(change).where(isRule(owner, id)).returning(),
      ...guardRevision(database, owner, revision),
    ]),
  )
  return alert
}

/** Deletes a rule with its deliveries. False when the owner does not have it. */
export async function deleteAlert(database: Database, owner: string, id: string): Promise<boolean> {
  return (await database.delete(alerts).where(isRule(owner, id))).rowsAffected > 0
}

/** Enabled rules of all owners that have not evaluated the newest event of their owner. */
export const alertsBehind = (database: Database): Promise<StoredAlert[]> =>
  database
    .select()
    .from(alerts)
    .where(
      and(
        eq(alerts.enabled, true),
        exists(
          database
            .select({ one: sql`1` })
            .from(owners)
            .where(and(eq(owners.id, alerts.owner), OWNER_NOT_DELETED)),
        ),
        exists(
          database
            .select({ one: sql`1` })
            .from(events)
            .where(and(eq(events.owner, alerts.owner), gt(events.seq, alerts.position))),
        ),
      ),
    )

/** A rule with its new position, and the deliveries that its evaluation adds. */
export interface Evaluation {
  alert: Pick<StoredAlert, 'id' | 'position'>
  position: number
  deliveries: readonly NewDelivery[]
}

/**
 * Inserts the deliveries and advances the positions of rules, all or nothing. False when another core has advanced a position,
 * when a rule has changed, or when a face was deleted: the caller reads again.
 */
export async function commitEvaluations(
  database: Database,
  owner: string,
  evaluations: readonly Evaluation[],
): Promise<boolean> {
  const added = evaluations.flatMap(({ deliveries }) => deliveries)
  const [first, ...rest] = evaluations.map(({ alert, position }) =>
    database
      .update(alerts)
      .set({ position: sql`CASE WHEN ${alerts.position} = ${alert.position} THEN ${position} END` })
      .where(isRule(owner, alert.id)),
  )
  if (!first) return true
  try {
    await database.batch([
      first,
      ...rest,
      ...inParts(added).map(part => insertDeliveries(database, owner, part)),
    ])
    return true
  } catch (error) {
    if (brokenConstraint(error)) return false
    throw error
  }
}

/** SQLite takes 32,766 parameters in a statement, and a delivery has about twelve. */
const MOST_ROWS = 1_000

const inParts = (added: readonly NewDelivery[]) =>
  Array.from({ length: Math.ceil(added.length / MOST_ROWS) }, (_, i) =>
    added.slice(i * MOST_ROWS, (i + 1) * MOST_ROWS),
  )

/** The least id of the faces of a person; undefined without a face. */
export async function firstFaceOf(
  database: Database,
  owner: string,
  personId: number | string,
): Promise<number | undefined> {
  const [face] = await database
    .select({ id: faces.id })
    .from(faces)
    .where(and(eq(faces.owner, owner), eq(faces.personId, personId)))
    .orderBy(asc(faces.id))
    .limit(1)
  return face?.id
}

/** Persons that become the person `id` if a condition holds. */
interface Merge {
  id: number
  others: readonly number[]
  allExist: SQL
}

/** Without the plus, SQLite reads all deliveries of the owner. */
const isOwned = (owner: string) => sql`+${deliveries.owner} = ${owner}`

/** Statement after a merge: deliveries about the merged persons are about `id`. Persons of deliveries are JSON. */
export const mergeDeliveries = (database: Database, owner: string, { id, others, allExist }: Merge) =>
  database
    .update(deliveries)
    .set({ person: String(id) })
    .where(
      and(
        isOwned(owner),
        inArray(
          deliveries.alert,
          database.select({ id: alerts.id }).from(alerts).where(eq(alerts.owner, owner)),
        ),
        inArray(deliveries.person, others.map(String)),
        allExist,
      ),
    )

/** The conditions that are lists of persons. */
const LISTS_OF_PERSONS = ['person_ids', 'except_person_ids'] as const

type ListOfPersons = (typeof LISTS_OF_PERSONS)[number]

const path = (list: ListOfPersons) => sql.raw(`'$.${list}'`)

/** Statements after a merge: rules that name one of the merged persons name `id`. A rule about `id` does not except it. */
export const mergeConditions = (database: Database, owner: string, { id, others, allExist }: Merge) => {
  const merged = sql`value IN (SELECT value FROM json_each(${JSON.stringify(others)}))`
  const changes = LISTS_OF_PERSONS.map(list => {
    const named = sql`json_each(${alerts.conditions}, ${path(list)})`
    return {
      names: sql`EXISTS (SELECT 1 FROM ${named} WHERE ${merged})`,
      value: sql`${path(list)}, json((
        SELECT json_group_array(DISTINCT CASE WHEN ${merged} THEN CAST(${id} AS INTEGER) ELSE value END) FROM ${named}
      ))`,
    }
  })
  const values = sql.join(
    changes.map(({ value }) => value),
    sql`, `,
  )
  const isWanted = sql`chosen.value = ${id} AND ${allExist} AND EXISTS (
    SELECT 1 FROM json_each(${alerts.conditions}, ${path('person_ids')}) AS wanted WHERE wanted.value = ${id}
  )`
  return [
    database
      .update(alerts)
      // Leaves an absent list out.
      .set({ conditions: sql`json_replace(${alerts.conditions}, ${values})` })
      .where(and(eq(alerts.owner, owner), or(...changes.map(({ names }) => names)), allExist)),
    forgetIn(database, owner, 'except_person_ids', isWanted),
  ] as const
}

const chosenOf = (list: ListOfPersons) =>
  sql`FROM json_each(${alerts.conditions}, ${path(list)}) AS chosen WHERE`

/** Condition: a rule of the owner has a chosen person in a list. */
const hasChosen = (owner: string, list: ListOfPersons, isChosen: SQL) =>
  and(eq(alerts.owner, owner), sql`EXISTS (SELECT 1 ${chosenOf(list)} ${isChosen})`)

const hasOthers = (list: ListOfPersons, isChosen: SQL) =>
  sql`EXISTS (SELECT 1 ${chosenOf(list)} NOT (${isChosen}))`

/** Statement: removes the chosen persons of a list, and an empty list. */
function forgetIn(database: Database, owner: string, list: ListOfPersons, isChosen: SQL) {
  const left = sql`json((SELECT json_group_array(chosen.value) ${chosenOf(list)} NOT (${isChosen})))`
  return database
    .update(alerts)
    .set({
      conditions: sql`CASE WHEN ${hasOthers(list, isChosen)} THEN json_set(${alerts.conditions}, ${path(list)}, ${left})
        ELSE json_remove(${alerts.conditions}, ${path(list)}) END`,
    })
    .where(hasChosen(owner, list, isChosen))
}

/**
 * Statements after a deletion of persons: rules about them alone are deleted, and other rules no longer name them. An empty list
 * of exceptions is removed.
 */
export const forgetInConditions = (database: Database, owner: string, ids: readonly number[]) => {
  const isGone = sql`chosen.value IN (SELECT value FROM json_each(${JSON.stringify(ids)})) AND NOT EXISTS (
    SELECT 1 FROM persons WHERE persons.owner = ${owner} AND persons.id = chosen.value
  )`
  return [
    database
      .delete(alerts)
      .where(and(hasChosen(owner, 'person_ids', isGone), not(hasOthers('person_ids', isGone)))),
    forgetIn(database, owner, 'person_ids', isGone),
    forgetIn(database, owner, 'except_person_ids', isGone),
  ] as const
}

/** Statement after a change of the persons of faces: their deliveries follow. */
export const moveDeliveries = (database: Database, owner: string, ids: readonly number[]) =>
  database
    .update(deliveries)
    .set({
      person: sql`(SELECT person_id FROM faces WHERE faces.owner = ${owner} AND faces.id = ${deliveries.face})`,
    })
    .where(and(isOwned(owner), inArray(deliveries.face, [...ids])))

/** `person_id` of a face. A text names no person. */
export type PersonId = number | string

interface SeenPerson {
  id: PersonId
  /** Null for a text. */
  meta: string | null
  /** Number of the faces that cameras posted. */
  count: number
  /** Time of the earliest of them in microseconds since 1970; null without any. */
  first: number | null
}

/** Facts about persons of an owner, in the order of `ids`. */
export async function seenPersons(
  database: Database,
  owner: string,
  ids: readonly PersonId[],
): Promise<SeenPerson[]> {
  if (ids.length === 0) return []
  // The index `faces_sightings` has the same conditions.
  const sightings = await database
    .select({ id: faces.personId, count: count(), first: min(faces.timestamp) })
    .from(faces)
    .where(
      and(
        eq(faces.owner, owner),
        inArray(faces.personId, [...ids]),
        isNotNull(faces.personId),
        isNotNull(faces.camera),
      ),
    )
    .groupBy(faces.personId)
  const numbers = ids.filter(id => typeof id === 'number')
  const named = await database
    .select({ id: persons.id, meta: persons.meta })
    .from(persons)
    .where(and(eq(persons.owner, owner), inArray(persons.id, numbers)))
  return ids.map(id => {
    const seen = sightings.find(one => one.id === id)
    const meta = named.find(one => one.id === id)?.meta ?? null
    return { id, meta, count: seen?.count ?? 0, first: seen?.first ?? null }
  })
}
