/** The transactions that create and change faces: rows, galleries and persons, and the response that is kept for a repeat. */

import { and, eq, gte, lt, notInArray, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import type { Review } from '../../../contract/model/face.ts'
import { moveDeliveries } from '../alerts/rules.ts'
import type { Database } from '../database.ts'
import { insertEvents } from '../events/events.ts'
import type { FaceRow } from '../faces/faces.ts'
import { deleteIntentsOfWork, type IntentOperation, insertIntents } from '../faces/intents.ts'
import { insertPersons, type StoredPerson } from '../persons/persons.ts'
import { allowFace, excludeFaces, forgetCandidate, keepGrouped } from '../persons/template-faces.ts'
import {
  advance,
  type BrokenConstraint,
  brokenConstraint,
  ConcurrentChange,
  detectConcurrentChange,
  guardRevision,
  IntentsTaken,
  requireIntents,
} from '../revisions.ts'
import { faces, memberships, rememberedAnswers } from '../schema.ts'

interface Enrolment {
  /** The enrolment's operation. Its intents are deleted: rows, vectors and pictures agree from now on. */
  work: IntentOperation
  owner: string
  /** At least one; all of this owner. */
  faces: readonly FaceRow[]
  /** Persons that are created with the faces. */
  persons: readonly StoredPerson[]
  /** Named galleries that every face joins. */
  galleries: readonly string[]
  /**
   * The owner's revision, when several cores share the database. The change advances it. Absent when no existing data decided
   * the enrolment.
   */
  revision?: number
  /** The response to keep under its key. Responses from before `keptSince` (microseconds since 1970) are deleted. */
  remember?: { answer: RememberedAnswer; keptSince: number }
}

/** Why nothing was stored: the idempotency key has a response, or a gallery or the owner was deleted. */
export type Obstacle = 'key taken' | 'gallery gone' | 'owner gone'

/** Conflicts between cores on one database. */
type CoreConflict = 'overtaken' | 'notes taken'

/**
 * Stores everything and returns undefined, or stores nothing and returns the reason. Rejects with ConcurrentChange and
 * with IntentsTaken.
 */
export async function commitEnrolment(
  database: Database,
  enrolment: Enrolment,
): Promise<Obstacle | undefined> {
  const steps = stepsOf(database, enrolment)
  const [first, ...rest] = steps.map(step => step.statement)
  if (!first) return undefined
  try {
    await database.batch([first, ...rest])
    return undefined
  } catch (error) {
    const broken = brokenConstraint(error)
    const obstacle = broken && steps[broken.statement]?.obstacle[broken.kind]
    if (obstacle === 'overtaken') throw new ConcurrentChange(undefined, { cause: error })
    if (obstacle === 'notes taken') throw new IntentsTaken(undefined, { cause: error })
    if (!obstacle) throw error
    return obstacle
  }
}

interface Step {
  statement: BatchItem<'sqlite'>
  obstacle: Partial<Record<BrokenConstraint['kind'], Obstacle | CoreConflict>>
}

/** The statements in order, each with the meaning of a violated constraint. */
function stepsOf(
  database: Database,
  { work, owner, faces: rows, persons, galleries, revision, remember }: Enrolment,
): Step[] {
  const steps: Step[] = []
  if (work.core)
    steps.push({
      statement: requireIntents(database, owner, work, rows.length),
      obstacle: { null: 'notes taken' },
    })
  if (revision !== undefined)
    steps.push({ statement: advance(database, owner, revision), obstacle: { null: 'overtaken' } })
  steps.push({ statement: deleteIntentsOfWork(database, work), obstacle: {} })
  if (remember) {
    steps.push({ statement: forgetAnswers(database, remember.keptSince), obstacle: {} })
    steps.push({
      statement: keepAnswer(database, remember.answer),
      obstacle: { unique: 'key taken', reference: 'owner gone' },
    })
  }
  if (persons.length > 0) {
    const kept = keepGrouped(database, owner, { persons: persons.map(({ id }) => id) })
    for (const statement of [insertPersons(database, persons), ...kept])
      steps.push({ statement, obstacle: {} })
  }
  steps.push({
    statement: database.insert(faces).values([...rows]),
    obstacle: { reference: 'owner gone' },
  })
  const seen = rows.filter(({ camera }) => camera !== null).map(({ id }) => id)
  if (seen.length > 0) steps.push({ statement: insertEvents(database, owner, seen), obstacle: {} })
  if (galleries.length > 0) {
    const ids = JSON.stringify(rows.map(({ id }) => id))
    steps.push({
      statement: database.run(sql`INSERT INTO memberships (owner, gallery, face)
        SELECT ${owner}, names.value, ids.value FROM json_each(${JSON.stringify(galleries)}) names, json_each(${ids}) ids`),
      obstacle: { reference: 'gallery gone' },
    })
  }
  return steps
}

interface EnrolmentUpdate {
  /** The face with its new columns. Its galleries stay. */
  face: FaceRow
  /** Created with the change. */
  persons: readonly StoredPerson[]
  /** Alerts about the face follow its person. Those about an unknown face stay so when it gets a name: rules may alert again. */
  movesAlerts: boolean
  revision: number | undefined
  answer: Pick<RememberedAnswer, 'key' | 'requestHash'>
}

/** Changes the face and adds an event. False when it was deleted. Rejects with ConcurrentChange. */
export async function commitUpdate(
  database: Database,
  { face, persons, movesAlerts, revision, answer }: EnrolmentUpdate,
): Promise<boolean> {
  const { id, owner } = face
  const kept = and(eq(rememberedAnswers.owner, owner), eq(rememberedAnswers.key, answer.key))
  const ids = { faces: [id], persons: persons.map(person => person.id) }
  try {
    await detectConcurrentChange(() =>
      database.batch([
        database
          .update(faces)
          // A clip is marked without the lock of the owner.
          .set({ ...face, clip: undefined })
          .where(and(eq(faces.owner, owner), eq(faces.id, id))),
        insertEvents(database, owner, [id]),
        database.update(rememberedAnswers).set({ requestHash: answer.requestHash }).where(kept),
        ...guardRevision(database, owner, revision),
        ...(persons.length > 0
          ? [insertPersons(database, persons), ...keepGrouped(database, owner, ids)]
          : []),
        ...(movesAlerts ? [moveDeliveries(database, owner, [id])] : []),
      ]),
    )
    return true
  } catch (error) {
    if (brokenConstraint(error)?.kind === 'reference') return false
    throw error
  }
}

export type RememberedAnswer = typeof rememberedAnswers.$inferSelect

/** The response kept under an owner's key, unless it is from before `since` (microseconds since 1970). */
export async function rememberedAnswer(
  database: Database,
  { owner, key, since }: { owner: string; key: string; since: number },
): Promise<RememberedAnswer | undefined> {
  const [row] = await database
    .select()
    .from(rememberedAnswers)
    .where(
      and(
        eq(rememberedAnswers.owner, owner),
        eq(rememberedAnswers.key, key),
        gte(rememberedAnswers.created, since),
      ),
    )
  return row
}

/** Statement that deletes all responses from before `since`. */
export const forgetAnswers = (database: Database, since: number) =>
  database.delete(rememberedAnswers).where(lt(rememberedAnswers.created, since))

/** Statement that keeps a response. It violates a unique constraint when the key has one. */
const keepAnswer = (database: Database, answer: RememberedAnswer) =>
  database.insert(rememberedAnswers).values(answer)

interface FaceChange {
  /** The change's operation. Its intents are replaced by one for the galleries that the face leaves. */
  work: IntentOperation
  owner: string
  id: number
  meta?: string
  /** Null: the face gets no person. */
  personId?: number | string | null
  /** Null: none. */
  review?: Review | null
  /** A person that the face is not of from now on. */
  excluded?: number
  /** Created when no person has this id. */
  person?: StoredPerson
  /** All named galleries of the face after the change. */
  galleries?: readonly string[]
  /** Galleries that the face leaves. */
  left: string[]
  /** The owner's revision, when several cores share the database. The change advances it. */
  revision?: number
}

/**
 * Changes everything or nothing. False when the face, or one of the galleries that it joins, does not exist. Rejects
 * with ConcurrentChange.
 */
export async function commitFaceChange(database: Database, change: FaceChange): Promise<boolean> {
  const [first, ...rest] = statementsOf(database, change)
  if (!first) return true
  try {
    await detectConcurrentChange(() => database.batch([first, ...rest]))
    return true
  } catch (error) {
    if (brokenConstraint(error)?.kind === 'reference') return false
    throw error
  }
}

function statementsOf(
  database: Database,
  { work, owner, id, meta, personId, review, excluded, person, galleries, left, revision }: FaceChange,
): BatchItem<'sqlite'>[] {
  const statements: BatchItem<'sqlite'>[] = guardRevision(database, owner, revision)
  if (meta !== undefined || personId !== undefined || review !== undefined) {
    // Who gives a face its person confirms it, also when the face has this person already.
    const confirmed = personId === undefined ? undefined : typeof personId === 'number'
    statements.push(
      database
        .update(faces)
        .set({ meta, personId, confirmed, review })
        .where(and(eq(faces.owner, owner), eq(faces.id, id))),
    )
  }
  if (personId !== undefined || excluded !== undefined)
    statements.push(
      forgetCandidate(database, { owner, id, excluded: personId === undefined ? excluded : undefined }),
    )
  if (personId !== undefined) statements.push(moveDeliveries(database, owner, [id]))
  if (person) statements.push(insertPersons(database, [person]), allowFace(database, owner, id, person.id))
  if (excluded !== undefined)
    statements.push(excludeFaces(database, { owner, faces: [id], person: excluded }))
  if (personId !== undefined || excluded !== undefined) {
    const persons = [personId, excluded].filter(id => typeof id === 'number')
    statements.push(...keepGrouped(database, owner, { faces: [id], persons }))
  }
  if (galleries) {
    const others = and(
      // Without the plus, SQLite reads all memberships of the owner by the primary key.
      sql`+${memberships.owner} = ${owner}`,
      eq(memberships.face, id),
      notInArray(memberships.gallery, [...galleries]),
    )
    statements.push(deleteIntentsOfWork(database, work), database.delete(memberships).where(others))
  }
  if (left.length > 0) statements.push(insertIntents(database, work, [{ owner, id, galleries: left }]))
  if (galleries && galleries.length > 0) {
    statements.push(
      database.run(sql`INSERT INTO memberships (owner, gallery, face)
        SELECT ${owner}, value, ${id} FROM json_each(${JSON.stringify(galleries)}) WHERE true ON CONFLICT DO NOTHING`),
    )
  }
  return statements
}
