/** The transaction that changes a face: its row, its person and its galleries. */
import { and, eq, notInArray } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { brokenConstraint } from '../connection/constraints.ts'
import type { Database } from '../database.ts'
import { advance, detectConcurrentChange } from '../revisions.ts'
import { faces, memberships } from '../schema.ts'
import { moveDeliveries } from './alerts/persons.ts'
import { deleteIntentsOfWork, type IntentOperation, insertIntents } from './intents.ts'
import { insertPersons, type StoredPerson } from './persons/persons.ts'

export interface FaceChange {
  /** The change's operation. Its intents are replaced by one for the galleries that the face leaves. */
  work: IntentOperation
  owner: string
  id: number
  meta?: string | undefined
  personId?: number | string | undefined
  /** Created when no person has this id. */
  person?: StoredPerson | undefined
  /** All named galleries of the face after the change. */
  galleries?: readonly string[] | undefined
  /** Galleries that the face leaves. */
  left: string[]
  /** The owner's revision, which advances, when several cores share the database. */
  revision?: number | undefined
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
  { work, owner, id, meta, personId, person, galleries, left, revision }: FaceChange,
): BatchItem<'sqlite'>[] {
  const statements: BatchItem<'sqlite'>[] = revision === undefined ? [] : [advance(database, owner, revision)]
  if (meta !== undefined || personId !== undefined) {
    statements.push(
      database
        .update(faces)
        .set({ meta, personId })
        .where(and(eq(faces.owner, owner), eq(faces.id, id))),
    )
  }
  if (personId !== undefined) statements.push(moveDeliveries(database, owner, [id]))
  if (person) statements.push(insertPersons(database, [person]))
  if (galleries) {
    const others = and(
      eq(memberships.owner, owner),
      eq(memberships.face, id),
      notInArray(memberships.gallery, [...galleries]),
    )
    statements.push(deleteIntentsOfWork(database, work), database.delete(memberships).where(others))
  }
  if (left.length > 0) statements.push(insertIntents(database, work, [{ owner, id, galleries: left }]))
  if (galleries && galleries.length > 0) {
    const members = galleries.map(gallery => ({ owner, gallery, face: id }))
    statements.push(database.insert(memberships).values(members).onConflictDoNothing())
  }
  return statements
}
