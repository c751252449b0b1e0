/** Queries on the measured false alarms of searches, and the faces that they are measured with. */
import { and, asc, eq, gt, inArray, notInArray, sql } from 'drizzle-orm'
import type { SearchTarget } from '../../../contract/model/face.ts'
import type { Database } from '../database.ts'
import { falseAlarms } from '../person-schema.ts'
import { faces } from '../schema.ts'
import { filtered } from './faces.ts'

export type FalseAlarms = typeof falseAlarms.$inferSelect

/** A gallery of an owner. */
export interface OwnedGallery {
  owner: string
  gallery: string
}

const isOf = ({ owner, gallery }: OwnedGallery) =>
  and(eq(falseAlarms.owner, owner), eq(falseAlarms.gallery, gallery))

export async function falseAlarmsOf(
  database: Database,
  gallery: OwnedGallery,
  target: SearchTarget,
): Promise<FalseAlarms | undefined> {
  const [row] = await database
    .select()
    .from(falseAlarms)
    .where(and(isOf(gallery), eq(falseAlarms.target, target)))
  return row
}

/** Replaces the measurements of a gallery. */
export async function storeFalseAlarms(
  database: Database,
  gallery: OwnedGallery,
  rows: readonly FalseAlarms[],
): Promise<void> {
  const targets = rows.map(({ target }) => target)
  await database.batch([
    database.delete(falseAlarms).where(and(isOf(gallery), notInArray(falseAlarms.target, targets))),
    ...rows.map(row =>
      database
        .insert(falseAlarms)
        .values(row)
        .onConflictDoUpdate({
          target: [falseAlarms.owner, falseAlarms.gallery, falseAlarms.target],
          set: row,
        }),
    ),
  ])
}

/** All measured galleries, and the number of their faces then. */
export const measuredGalleries = (database: Database): Promise<Omit<FalseAlarms, 'alikeness' | 'people'>[]> =>
  database
    .select({
      owner: falseAlarms.owner,
      gallery: falseAlarms.gallery,
      target: falseAlarms.target,
      scale: falseAlarms.scale,
      faces: falseAlarms.faces,
    })
    .from(falseAlarms)

/** A face with what says who it shows. */
export type LabelledFace = Pick<typeof faces.$inferSelect, 'id' | 'personId' | 'meta'>

/** What says who a face shows: its person, else its meta, else the face itself. */
export const labelOf = ({ id, personId, meta }: LabelledFace): string =>
  personId === null ? (meta === '' ? `face ${id}` : `meta ${meta}`) : `person ${personId}`

/** Condition: the face is not set aside. */
export const IN_USE = sql`${faces.review} IS NOT 'set_aside'`

const LABELLED = { id: faces.id, personId: faces.personId, meta: faces.meta }

/** The next faces of a gallery above an id, ascending, without those that are set aside. `gallery` is undefined for `default`. */
export const nextLabelled = (
  database: Database,
  {
    owner,
    gallery,
    above,
    limit,
  }: { owner: string; gallery: string | undefined; above: number; limit: number },
): Promise<LabelledFace[]> =>
  database
    .select(LABELLED)
    .from(faces)
    .where(and(eq(faces.owner, owner), IN_USE, filtered(database, owner, { gallery }), gt(faces.id, above)))
    .orderBy(asc(faces.id))
    .limit(limit)

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
