/** All queries on persons, and the transactions that change them. Each takes the owner and sees only that owner's persons. */
import { and, asc, eq, exists, gt, inArray, ne, not, type SQL, sql } from 'drizzle-orm'
import { environment } from '../../../contract/environment.ts'
import { FACE_LIMITS } from '../../../contract/limits/faces.ts'
import { foldName, nameOfPerson } from '../../../contract/model/person.ts'
import { forgetInConditions, mergeConditions, mergeDeliveries, moveDeliveries } from '../alerts/rules.ts'
import type { Database } from '../database.ts'
import { nextFaceIds } from '../faces/faces.ts'
import { fillFoldedNames, nameContains } from '../person-names.ts'
import { detectConcurrentChange, guardRevision } from '../revisions.ts'
import { faces, owners, persons } from '../schema.ts'
import { endPersonChange } from './person-changes.ts'
import {
  excludeFaces,
  keepGrouped,
  keepGroupedOf,
  mergeCandidates,
  mergeExclusions,
} from './template-faces.ts'

type PersonRow = typeof persons.$inferSelect

export type StoredPerson = Pick<PersonRow, 'owner' | 'id' | 'meta'> &
  Partial<Pick<PersonRow, 'silent' | 'portrait' | 'merged'>>

/** The owner's persons among these ids. */
export const personsById = (
  database: Database,
  owner: string,
  ids: readonly number[],
): Promise<StoredPerson[]> =>
  database
    .select()
    .from(persons)
    .where(
      and(
        eq(persons.owner, owner),
        sql`${persons.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
      ),
    )

/** Undefined also for the id of a person that is a text, and for none. */
export async function personById(
  database: Database,
  owner: string,
  id: number | string | null | undefined,
): Promise<StoredPerson | undefined> {
  const [person] = typeof id === 'number' ? await personsById(database, owner, [id]) : []
  return person
}

/** The id of the person that one with this id became a part of; undefined for an id that was not merged. */
export async function survivorOf(database: Database, owner: string, id: number): Promise<number | undefined> {
  const [person] = await database
    .select({ id: persons.id })
    .from(persons)
    .where(
      and(eq(persons.owner, owner), sql`${String(id)} IN (SELECT key FROM json_each(${persons.merged}))`),
    )
  return person?.id
}

/** The number of persons of an owner. */
export const personCount = (database: Database, owner: string): Promise<number> =>
  database.$count(persons, eq(persons.owner, owner))

/** The first persons with this name, by ascending id, at most `limit`. */
export async function personsNamed(
  database: Database,
  owner: string,
  name: string,
  limit: number,
): Promise<StoredPerson[]> {
  await fillFoldedNames(database, owner)
  // The plus leads SQLite along the index of names: along the ids, it would read all persons.
  return database
    .select()
    .from(persons)
    .where(and(eq(persons.owner, owner), eq(persons.nameFolded, foldName(name))))
    .orderBy(sql`+persons.id`)
    .limit(limit)
}

/** Deletes the persons without faces among these. Returns how many were deleted. Their ids are not used again. */
export async function deleteFacelessPersons(
  database: Database,
  owner: string,
  ids: readonly number[],
): Promise<number> {
  const [, { rowsAffected }] = await database.batch(facelessDeletion(database, owner, ids))
  return rowsAffected
}

/** Statements that delete the persons without faces among these. */
export function facelessDeletion(database: Database, owner: string, ids: readonly number[]) {
  const theirs = database
    .select({ id: faces.id })
    .from(faces)
    .where(and(eq(faces.owner, owner), sql`${faces.personId} = CAST(${persons.id} AS TEXT)`))
  return [
    retirePersonIds(database, owner),
    database
      .delete(persons)
      .where(and(eq(persons.owner, owner), inArray(persons.id, [...ids]), not(exists(theirs)))),
    ...forgetInConditions(database, owner, ids),
    forgetCandidates(database, owner, ids),
  ] as const
}

/** Statement after a deletion of persons: removes them as candidates of faces. A caller may use their ids again. */
export const forgetCandidates = (database: Database, owner: string, ids: readonly number[]) =>
  database
    .update(faces)
    .set({ candidate: null, candidateConfidence: null })
    .where(
      and(
        eq(faces.owner, owner),
        inArray(faces.candidate, [...ids]),
        not(
          exists(
            database
              .select({ id: persons.id })
              .from(persons)
              .where(and(eq(persons.owner, owner), eq(persons.id, faces.candidate))),
          ),
        ),
      ),
    )

/** Statement before a deletion of persons: new persons will get ids above all present ids. */
export const retirePersonIds = (database: Database, owner: string) =>
  database
    .update(owners)
    .set({
      lastPerson: sql`max(${owners.lastPerson}, coalesce((SELECT max(persons.id) FROM persons WHERE persons.owner = owners.id), 0))`,
    })
    .where(eq(owners.id, owner))

/** The next persons of an owner above an id, ascending. With `name`: persons whose name contains this text. Call fillFoldedNames first. */
export const nextPersons = (
  database: Database,
  owner: string,
  { above, name, limit }: { above: number; name?: string; limit: number },
): Promise<StoredPerson[]> =>
  database
    .select()
    .from(persons)
    .where(
      and(
        eq(persons.owner, owner),
        gt(persons.id, above),
        name === undefined ? undefined : nameContains(name),
      ),
    )
    .orderBy(asc(persons.id))
    .limit(limit)

/** The highest id that a person of the owner has or had; 0 when there was none. */
export async function highestPersonId(database: Database, owner: string): Promise<number> {
  const [row] = await database
    .select({
      highest: sql<number>`max(owners.last_person, coalesce((SELECT max(persons.id) FROM persons WHERE persons.owner = owners.id), 0))`,
    })
    .from(owners)
    .where(eq(owners.id, owner))
  return row?.highest ?? 0
}

/** Statement that creates these persons. Persons whose id exists stay unchanged. */
export const insertPersons = (database: Database, people: readonly StoredPerson[]) =>
  database
    .insert(persons)
    .values(people.map(person => ({ ...person, nameFolded: foldName(person.meta) })))
    .onConflictDoNothing()

/** The owner's revision, when several cores share the database. The change advances it. */
type Revision = number | undefined

const isPerson = ({ owner, id }: { owner: string; id: number }) =>
  and(eq(persons.owner, owner), eq(persons.id, id))

/** Newest faces of a merged person that the merge confirms. More would displace faces that a user confirmed one by one. */
const CONFIRMED_BY_MERGE = 4

/** Faces of a person that were changed in steps: how many, and the last id. */
interface Steps {
  changed: number
  above: number
}

/** The last transaction of a change. `steps`: those before it, after which it ends the record of `operation`. */
export interface Ending {
  revision: Revision
  steps?: Steps
  operation?: string
}

const NO_STEPS: Steps = { changed: 0, above: -1 }

const ends = (database: Database, owner: string, operation: string | undefined) =>
  operation === undefined ? [] : [endPersonChange(database, { owner, operation })]

/** Whether these persons have too many faces for one transaction: the change is recorded first. */
export async function needSteps(database: Database, owner: string, ids: readonly number[]): Promise<boolean> {
  let left = FACE_LIMITS.personStep + FACE_LIMITS.personEnd
  for (const person of ids) {
    left -= (await nextFaceIds(database, owner, { person }, -1, left)).length
    if (left === 0) return true
  }
  return false
}

/**
 * Calls `change` for the faces of a person by rising id, and serves other requests between the steps. `change` returns how many
 * faces it changed. The last FACE_LIMITS.personEnd faces are left for the last transaction. Several `people` share this number.
 */
export async function changeInSteps(
  database: Database,
  { owner, id: person }: Pick<StoredPerson, 'owner' | 'id'>,
  change: (ids: number[]) => Promise<number>,
  people = 1,
): Promise<Steps> {
  const steps = { ...NO_STEPS }
  const left = Math.ceil(FACE_LIMITS.personEnd / people)
  for (;;) {
    const limit = FACE_LIMITS.personStep + left
    const found = await nextFaceIds(database, owner, { person }, steps.above, limit)
    const ids = found.slice(0, Math.max(0, found.length - left))
    if (ids.length === 0) return steps
    steps.above = ids.at(-1)!
    steps.changed += await change(ids)
    await environment.turn()
  }
}

/** Of faces whose `person_id` is a number: the meta is empty, or equals the person's meta. It follows the name of the person. */
const FOLLOWS_PERSON = sql`(faces.meta = '' OR faces.meta = (
  SELECT named.meta FROM persons named WHERE named.owner = faces.owner AND named.id = CAST(faces.person_id AS INTEGER)
))`

/** Statement that changes the metas of these faces of a person that follow the person, or with `withFaces` of all. */
function changeMetas(database: Database, { owner, id, meta }: StoredPerson, withFaces: boolean, which: SQL) {
  const shown = withFaces ? meta : nameOfPerson(meta)
  const theirs = and(eq(faces.owner, owner), eq(faces.personId, id), which, ne(faces.meta, shown))
  return database
    .update(faces)
    .set({ meta: shown })
    .where(withFaces ? theirs : and(theirs, FOLLOWS_PERSON))
}

/** Before commitPersonMeta: changes the metas of most faces of a person with many faces. */
export const changeMetasInSteps = (
  database: Database,
  person: StoredPerson,
  withFaces: boolean,
): Promise<Steps> =>
  changeInSteps(database, person, async ids => {
    const [{ rowsAffected }] = await database.batch([
      changeMetas(database, person, withFaces, inArray(faces.id, ids)),
      keepGroupedOf(database, person.owner, [person.id], ids),
    ])
    return rowsAffected
  })

/**
 * Changes a person's meta and, if given, `silent` and `portrait`. Changes the metas of the faces that follow the person's meta, or
 * of all faces with `withFaces`. Returns the number of changed faces; undefined for an unknown person.
 */
export async function commitPersonMeta(
  database: Database,
  { owner, id, meta, silent, portrait }: StoredPerson,
  withFaces: boolean,
  { revision, steps = NO_STEPS, operation }: Ending,
): Promise<number | undefined> {
  const [changed, person] = await detectConcurrentChange(() =>
    database.batch([
      changeMetas(database, { owner, id, meta }, withFaces, gt(faces.id, steps.above)),
      database.update(persons).set({ meta, silent, portrait }).where(isPerson({ owner, id })),
      ...keepGrouped(database, owner, { persons: [id] }),
      ...ends(database, owner, operation),
      ...guardRevision(database, owner, revision),
    ]),
  )
  return person.rowsAffected === 0 ? undefined : steps.changed + changed.rowsAffected
}

interface Merge {
  owner: string
  id: number
  others: readonly number[]
}

/** Reads the data of a merge, and makes its statements on faces. */
async function planMerge(database: Database, { owner, id, others }: Merge) {
  const list = sql.join(
    [id, ...others].map(one => sql`${one}`),
    sql`, `,
  )
  // SQLite evaluates this once for each statement, before the first change.
  const allExist = sql`${others.length + 1} = (
    SELECT count(*) FROM persons existing WHERE existing.owner = ${owner} AND existing.id IN (${list})
  )`
  const people = await personsById(database, owner, [id, ...others])
  const merged = Object.assign(
    {},
    ...people.map(person => person.merged),
    ...others.map(other => ({ [other]: id })),
  )
  // A caller may have given the id of a merged person to this one.
  delete merged[id]
  const kept = nameOfPerson(people.find(person => person.id === id)?.meta ?? '')
  const names = new Set(people.map(person => nameOfPerson(person.meta)).filter(name => name !== ''))
  const name = kept || (names.size === 1 ? [...names][0]! : '')
  const gets = sql`${name} <> '' AND meta <> ${name}`
  const taught = await newestFacesOf(database, owner, others)
  const ofOwner = and(eq(faces.owner, owner), allExist)
  return {
    ...{ list, allExist, merged, name, gets },
    moveFaces: (which?: SQL) =>
      database
        .update(faces)
        .set({
          personId: id,
          confirmed: which
            ? undefined
            : sql`confirmed OR id IN (SELECT value FROM json_each(${JSON.stringify(taught)}))`,
          meta: sql`CASE WHEN ${gets} AND ${FOLLOWS_PERSON} THEN ${name} ELSE meta END`,
        })
        .where(and(ofOwner, inArray(faces.personId, [...others]), which)),
    nameFaces: (which: SQL) =>
      database
        .update(faces)
        .set({ meta: name })
        .where(and(ofOwner, eq(faces.personId, id), which, FOLLOWS_PERSON, gets)),
  }
}

/** Before commitMerge: moves most faces of persons with many faces. The persons stay. */
export async function mergeInSteps(database: Database, merge: Merge): Promise<Steps> {
  const { owner, id, others } = merge
  const { moveFaces, nameFaces } = await planMerge(database, merge)
  const people = others.length + 1
  const move = async (ids: number[]) => {
    const [{ rowsAffected }] = await database.batch([
      moveFaces(inArray(faces.id, ids)),
      moveDeliveries(database, owner, ids),
    ])
    return rowsAffected
  }
  const nameStep = async (ids: number[]) => {
    const [{ rowsAffected }] = await database.batch([
      nameFaces(inArray(faces.id, ids)),
      keepGroupedOf(database, owner, [id], ids),
    ])
    return rowsAffected
  }
  let changed = 0
  for (const other of others)
    changed += (await changeInSteps(database, { owner, id: other }, move, people)).changed
  const { above } = await changeInSteps(database, { owner, id }, nameStep, people)
  return { changed, above }
}

/**
 * Moves the faces of `others` to the person `id`, confirms the newest of these faces, and deletes `others`. A person without a name
 * gets the only name of the others. A person without a portrait gets a portrait of the others. `id` keeps its `silent`. Returns the
 * number of moved faces; undefined when one of the persons does not exist.
 */
export async function commitMerge(
  database: Database,
  merge: Merge,
  { revision, steps = NO_STEPS, operation }: Ending,
): Promise<number | undefined> {
  const { owner, id, others } = merge
  const { list, allExist, merged, name, gets, moveFaces, nameFaces } = await planMerge(database, merge)
  const [, moved, , , , , , , , , , deleted] = await detectConcurrentChange(() =>
    database.batch([
      retirePersonIds(database, owner),
      moveFaces(),
      nameFaces(gt(faces.id, steps.above)),
      database
        .update(persons)
        .set({ meta: name })
        .where(and(isPerson({ owner, id }), gets, allExist)),
      database
        .update(persons)
        .set({
          portrait: sql`(
            SELECT chosen.portrait FROM persons chosen JOIN faces ON faces.id = chosen.portrait
            WHERE chosen.owner = ${owner} AND chosen.id IN (${list}) AND faces.owner = ${owner} AND faces.person_id = ${String(id)}
            ORDER BY chosen.id <> ${id}, chosen.id LIMIT 1
          )`,
          merged,
        })
        .where(and(isPerson({ owner, id }), allExist)),
      mergeDeliveries(database, owner, { id, others, allExist }),
      ...mergeConditions(database, owner, { id, others, allExist }),
      ...mergeExclusions(database, { owner, id, others, allExist }),
      mergeCandidates(database, { owner, id, others, allExist }),
      database
        .delete(persons)
        .where(and(eq(persons.owner, owner), inArray(persons.id, [...others]), allExist)),
      ...keepGrouped(database, owner, { persons: [id] }),
      ...ends(database, owner, operation),
      ...guardRevision(database, owner, revision),
    ]),
  )
  return deleted.rowsAffected === 0 ? undefined : steps.changed + moved.rowsAffected
}

async function newestFacesOf(
  database: Database,
  owner: string,
  people: readonly number[],
): Promise<number[]> {
  const rows = await database.all<{ id: number }>(sql`
    SELECT faces.id AS id FROM json_each(${JSON.stringify(people)}) wanted CROSS JOIN faces WHERE faces.id IN (
      SELECT newest.id FROM faces newest WHERE newest.owner = ${owner} AND newest.person_id = CAST(wanted.value AS TEXT)
      ORDER BY newest.id DESC LIMIT ${CONFIRMED_BY_MERGE}
    )`)
  return rows.map(({ id }) => id)
}

/** Takes all faces of a person away from it. They lose its name, too. */
export async function freeFaces(database: Database, owner: string, person: number): Promise<void> {
  for (;;) {
    const ids = await nextFaceIds(database, owner, { person }, -1, FACE_LIMITS.reconcileBatch)
    if (ids.length === 0) return
    await database.batch([
      database
        .update(faces)
        .set({
          personId: null,
          confirmed: false,
          meta: sql`CASE WHEN ${FOLLOWS_PERSON} THEN '' ELSE meta END`,
        })
        .where(and(eq(faces.owner, owner), inArray(faces.id, ids))),
      moveDeliveries(database, owner, ids),
    ])
  }
}

/**
 * Creates `person` and moves faces of the person `from` to it. The moved faces are recorded as not of `from`, and are unconfirmed. Their
 * metas follow. A `person` that was merged into `from` gets back the persons that were merged into it.
 */
export async function commitSplit(
  database: Database,
  { person, from, ids }: { person: StoredPerson; from: number; ids: readonly number[] },
  revision: Revision,
): Promise<void> {
  const { owner } = person
  const merged = Object.entries((await personById(database, owner, from))?.merged ?? {})
  const into = new Map(merged.map(([former, id]) => [Number(former), id]))
  const isOfPerson = (id: number | undefined): boolean =>
    id !== undefined && (id === person.id || isOfPerson(into.get(id)))
  const others = Map.groupBy(
    merged.filter(([former]) => Number(former) !== person.id),
    ([, id]) => isOfPerson(id),
  )
  await detectConcurrentChange(() =>
    database.batch([
      insertPersons(database, [{ ...person, merged: Object.fromEntries(others.get(true) ?? []) }]),
      database
        .update(faces)
        .set({
          personId: person.id,
          confirmed: false,
          meta: sql`CASE WHEN ${FOLLOWS_PERSON} THEN ${nameOfPerson(person.meta)} ELSE ${faces.meta} END`,
        })
        .where(and(eq(faces.owner, owner), inArray(faces.id, [...ids]), eq(faces.personId, from))),
      database
        .update(persons)
        .set({ merged: Object.fromEntries(others.get(false) ?? []) })
        .where(isPerson({ owner, id: from })),
      moveDeliveries(database, owner, ids),
      excludeFaces(database, { owner, faces: ids, person: from }),
      ...keepGrouped(database, owner, { faces: ids, persons: [from] }),
      ...guardRevision(database, owner, revision),
    ]),
  )
}
