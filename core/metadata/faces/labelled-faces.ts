/** Queries on faces with what says who they show. */
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Database } from '../database.ts'
import { faces } from '../schema.ts'

/** A face with what says who it shows. */
export type LabelledFace = Pick<typeof faces.$inferSelect, 'id' | 'personId' | 'meta'>

/** What says who a face shows: its person, else its meta, else the face itself. */
export const labelOf = ({ id, personId, meta }: LabelledFace): string =>
  personId === null ? (meta === '' ? `face ${id}` : `meta ${meta}`) : `person ${personId}`

/** Condition: the face is not set aside. */
export const IN_USE = sql`${faces.review} IS NOT 'set_aside'`

const LABELLED = { id: faces.id, personId: faces.personId, meta: faces.meta }

/** The owner's faces among these ids, without those that are set aside. */
export const labelledFaces = (
  database: Database,
  owner: string,
  ids: readonly number[],
): Promise<LabelledFace[]> =>
  database
    .select(LABELLED)
    .from(faces)
    .where(and(eq(faces.owner, owner), IN_USE, inArray(faces.id, [...ids])))
