/** The transaction that creates faces: their rows, galleries and persons, and the response that is kept for a repeat. */
import type { BatchItem } from 'drizzle-orm/batch'
import { type BrokenConstraint, brokenConstraint } from '../connection/constraints.ts'
import type { Database } from '../database.ts'
import { advance, ConcurrentChange, IntentsTaken, requireIntents } from '../revisions.ts'
import { faces, memberships } from '../schema.ts'
import { insertEvents } from './events.ts'
import type { FaceRow } from './faces.ts'
import { deleteIntentsOfWork, type IntentOperation } from './intents.ts'
import { insertPersons, type StoredPerson } from './persons/persons.ts'
import { forgetAnswers, keepAnswer, type RememberedAnswer } from './remembered-answers.ts'

export interface Enrolment {
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
   * The owner's revision, which advances, when several cores share the database. Absent when no existing data decided
   * the enrolment.
   */
  revision?: number | undefined
  /** The response to keep under its key. Responses from before `keptSince` (microseconds since 1970) are deleted. */
  remember?: { answer: RememberedAnswer; keptSince: number } | undefined
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
  if (persons.length > 0) steps.push({ statement: insertPersons(database, persons), obstacle: {} })
  steps.push({
    statement: database.insert(faces).values([...rows]),
    obstacle: { reference: 'owner gone' },
  })
  const seen = rows.filter(({ camera }) => camera !== null).map(({ id }) => id)
  if (seen.length > 0) steps.push({ statement: insertEvents(database, owner, seen), obstacle: {} })
  const members = rows.flatMap(({ id }) => galleries.map(gallery => ({ owner, gallery, face: id })))
  if (members.length > 0) {
    const statement = database.insert(memberships).values(members)
    steps.push({ statement, obstacle: { reference: 'gallery gone' } })
  }
  return steps
}
