/** The one transaction by which faces come to exist: their rows, galleries and persons, and the answer kept for a repeat. */
import type { BatchItem } from 'drizzle-orm/batch'
import { type BrokenConstraint, brokenConstraint } from '../connection/constraints.ts'
import type { Database } from '../database.ts'
import { advance, ConcurrentChange, IntentsTaken, requireIntents } from '../revisions.ts'
import { faces, memberships } from '../schema.ts'
import type { FaceRow } from './faces.ts'
import { deleteIntentsOfWork, type IntentWork } from './intents.ts'
import { insertPersons, type StoredPerson } from './persons.ts'
import { forgetAnswers, keepAnswer, type RememberedAnswer } from './remembered-answers.ts'

export interface Enrolment {
  /** Its notes are forgotten: what they say is true from now on. */
  work: IntentWork
  owner: string
  /** At least one; all of that owner. */
  faces: readonly FaceRow[]
  /** Persons that come to exist with them. */
  persons: readonly StoredPerson[]
  /** Named galleries that every one of them joins. */
  galleries: readonly string[]
  /** Where several cores share the database: the owner's revision, which is advanced; absent where nothing was decided by what there is. */
  revision?: number | undefined
  /** Kept under its key in the same transaction; answers older than `keptSince` are forgotten on the way. */
  remember?: { answer: RememberedAnswer; keptSince: number } | undefined
}

/** Why nothing was stored: another answer holds the key, or a gallery or the owner is gone. */
export type Obstacle = 'key taken' | 'gallery gone' | 'owner gone'

/** What is between several cores alone. */
type Rivalry = 'overtaken' | 'notes taken'

/** Stores all of it and answers with undefined, or stores nothing and says why. Rejects with Overtaken and with IntentsTaken. */
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
  obstacle: Partial<Record<BrokenConstraint['kind'], Obstacle | Rivalry>>
}

/** The statements in their order, each with what it means when it breaks a constraint. */
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
  const members = rows.flatMap(({ id }) => galleries.map(gallery => ({ owner, gallery, face: id })))
  if (members.length > 0) {
    const statement = database.insert(memberships).values(members)
    steps.push({ statement, obstacle: { reference: 'gallery gone' } })
  }
  return steps
}
