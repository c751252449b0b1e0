/** Queries for the comparison with persons: by which faces they are recognised, and which persons a face is not of. */
import { and, eq, inArray, isNotNull, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { FACE_LIMITS } from '../../../contract/limits/faces.ts'
import type { Database } from '../database.ts'
import { inGallery } from '../faces/faces.ts'
import { faces, persons } from '../schema.ts'
import { groupedFaces, groupedPersons, personExclusions } from './schema.ts'

/** The faces that a search compares: of a gallery, or only of one camera in it; null: of no camera. */
export interface FaceScope {
  owner: string
  gallery: string
  camera?: string | null
  /** A face that is left out. */
  without?: number
}

/** Quality below which a face founds no person, and makes no template beside better faces. See docs/decisions/0009-persons.md. */
export const FOUNDING_QUALITY = 0.8

/** Condition on the table `faces`, or on an alias of it. Faces that are set aside are in no scope. */
export function inScope({ owner, gallery, camera, without }: FaceScope, table = 'faces'): SQL {
  const column = (name: string) => sql.raw(`${table}.${name}`)
  const other = without === undefined ? sql`` : sql` AND ${column('id')} <> ${without}`
  const seen = camera === undefined ? sql`` : sql` AND ${column('cam_id')} IS ${camera}`
  return sql`${column('owner')} = ${owner} AND ${column('review')} IS NOT 'set_aside' AND ${inGallery(owner, gallery, column('id'))}${seen}${other}`
}

/** The faces of the scope among these that have a person, with their metas. */
export async function personsInScope(
  database: Database,
  scope: FaceScope,
  ids: readonly number[],
): Promise<Map<number, { person: number; meta: string }>> {
  const rows = await database
    .select({ id: faces.id, personId: faces.personId, meta: faces.meta })
    .from(faces)
    .where(and(inScope(scope), inArray(faces.id, [...ids])))
  return new Map(
    rows.flatMap(({ id, personId, meta }) =>
      typeof personId === 'number' ? [[id, { person: personId, meta }]] : [],
    ),
  )
}

/** A face that a person can be recognised by. Quality 0..1; 1 where none is known. */
export interface EvidenceFace {
  id: number
  quality: number
  /** A user said that the face shows its person. */
  confirmed: boolean
}

/**
 * The faces of the scope that each person is recognised by: of the newest FACE_LIMITS.representedFaces, the best
 * FACE_LIMITS.templateFaces by quality, and the newest FACE_LIMITS.confirmedFaces that a user confirmed.
 */
export async function evidenceFaces(
  database: Database,
  scope: FaceScope,
  persons: readonly number[],
): Promise<Map<number, EvidenceFace[]>> {
  const theirs = sql`${inScope(scope, 'theirs')} AND theirs.person_id = CAST(wanted.value AS TEXT)`
  const rows = await database.all<{ person: number; id: number; quality: number; confirmed: number }>(sql`
    SELECT wanted.value AS person, faces.id AS id, faces.confirmed AS confirmed,
      coalesce(faces.measured_quality, faces.quality ->> '$.quality', 1) AS quality
    FROM json_each(${JSON.stringify(persons)}) wanted CROSS JOIN faces WHERE faces.id IN (
      SELECT best.id FROM (
        SELECT newest.id FROM (
          SELECT theirs.id, coalesce(theirs.measured_quality, theirs.quality ->> '$.quality', 1) AS quality
          FROM faces theirs WHERE ${theirs} ORDER BY theirs.id DESC LIMIT ${FACE_LIMITS.representedFaces}
        ) newest ORDER BY newest.quality DESC, newest.id DESC LIMIT ${FACE_LIMITS.templateFaces}
      ) best UNION ALL SELECT taught.id FROM (
        SELECT theirs.id FROM faces theirs WHERE ${theirs} AND theirs.confirmed = 1
        ORDER BY theirs.id DESC LIMIT ${FACE_LIMITS.confirmedFaces}
      ) taught
    )`)
  const faces = rows.map(row => ({ ...row, confirmed: row.confirmed === 1 }))
  return Map.groupBy(faces, face => face.person)
}

/** Columns or coordinates of a box. */
type BoxOf<Value> = Readonly<Record<'x1' | 'y1' | 'x2' | 'y2', Value>>

/**
 * Condition: the boxes show different faces of a photo. Selectors and callers draw the box of one face differently: boxes whose
 * intersection is half of their union or more show the same face.
 */
export function areOtherFaces(one: BoxOf<SQLWrapper>, other: BoxOf<SQLWrapper | number>): SQL {
  const side = (from: 'x1' | 'y1', to: 'x2' | 'y2') =>
    sql`max(0, min(${one[to]}, ${other[to]}) - max(${one[from]}, ${other[from]}))`
  const area = ({ x1, y1, x2, y2 }: BoxOf<unknown>) => sql`(${x2} - ${x1}) * (${y2} - ${y1})`
  return sql`3 * ${side('x1', 'x2')} * ${side('y1', 'y2')} < ${area(one)} + ${area(other)}`
}

/** Returns which of these persons have another face on the photo of a face: the face does not show them. */
export async function personsOfPhoto(
  database: Database,
  face: BoxOf<number> & Pick<typeof faces.$inferSelect, 'owner' | 'photoHash'>,
  persons: readonly number[],
): Promise<number[]> {
  // With DISTINCT, SQLite reads all faces of these persons.
  const rows = await database
    .select({ personId: faces.personId })
    .from(faces)
    .where(
      and(
        eq(faces.owner, face.owner),
        inArray(faces.personId, [...persons]),
        eq(faces.photoHash, face.photoHash),
        areOtherFaces(faces, face),
      ),
    )
  return rows.map(({ personId }) => Number(personId))
}

/** The exclusions of these faces. */
export const exclusionsOf = (
  database: Database,
  owner: string,
  ids: readonly number[],
): Promise<{ face: number; person: number }[]> =>
  database
    .select({ face: personExclusions.face, person: personExclusions.person })
    .from(personExclusions)
    // Without the plus, SQLite reads all exclusions of the owner.
    .where(and(sql`+${personExclusions.owner} = ${owner}`, inArray(personExclusions.face, [...ids])))

/** Returns which of these persons a user separated from a person: one of them lost a face to the other. */
export async function separatedPersons(
  database: Database,
  owner: string,
  person: number,
  others: readonly number[],
): Promise<number[]> {
  const ids = new Set([person, ...others])
  const rows = await database
    .select({ person: personExclusions.person, personId: faces.personId })
    .from(personExclusions)
    .innerJoin(faces, eq(faces.id, personExclusions.face))
    .where(and(eq(personExclusions.owner, owner), inArray(personExclusions.person, [...ids])))
  return rows.flatMap(row => {
    if (row.person === person && typeof row.personId === 'number') return [row.personId]
    return row.personId === person ? [row.person] : []
  })
}

/** Statement that keeps that these faces are not of a person. */
export const excludeFaces = (
  database: Database,
  { owner, faces: ids, person }: { owner: string; faces: readonly number[]; person: number },
) =>
  database
    .insert(personExclusions)
    .select(
      database
        .select({ owner: faces.owner, face: faces.id, person: persons.id })
        .from(faces)
        .innerJoin(persons, and(eq(persons.owner, owner), eq(persons.id, person)))
        .where(and(eq(faces.owner, owner), inArray(faces.id, [...ids]))),
    )
    .onConflictDoNothing()

/** Statement that forgets that a face is not of a person. */
export const allowFace = (database: Database, owner: string, face: number, person: number) =>
  database
    .delete(personExclusions)
    .where(
      and(
        eq(personExclusions.owner, owner),
        eq(personExclusions.face, face),
        eq(personExclusions.person, person),
      ),
    )

/** Statement that removes the candidate of a face. With `excluded`: only if the candidate is this person. */
export const forgetCandidate = (
  database: Database,
  { owner, id, excluded }: { owner: string; id: number; excluded?: number },
) =>
  database
    .update(faces)
    .set({ candidate: null, candidateConfidence: null })
    .where(
      and(
        eq(faces.owner, owner),
        eq(faces.id, id),
        excluded === undefined ? undefined : eq(faces.candidate, excluded),
      ),
    )

/**
 * Statement of a merge, after its exclusions and before `others` are deleted: faces that are probably one of `others` are probably `id`,
 * unless they are not of `id`.
 */
export const mergeCandidates = (
  database: Database,
  { owner, id, others, allExist }: { owner: string; id: number; others: readonly number[]; allExist: SQL },
) => {
  const isExcluded = sql`EXISTS (SELECT 1 FROM person_exclusions WHERE person_exclusions.face = faces.id AND person_exclusions.person = ${id})`
  return database
    .update(faces)
    .set({ candidate: sql`CASE WHEN ${isExcluded} THEN NULL ELSE ${id} END` })
    .where(and(eq(faces.owner, owner), inArray(faces.candidate, [id, ...others]), allExist))
}

/**
 * Statements of a merge of the persons `others` into `id`, after their faces were moved and before `others` are deleted: faces that
 * are not of `others` are not of `id`, except for its own faces.
 */
export const mergeExclusions = (
  database: Database,
  { owner, id, others, allExist }: { owner: string; id: number; others: readonly number[]; allExist: SQL },
) =>
  [
    database
      .insert(personExclusions)
      .select(
        database
          .selectDistinct({
            owner: personExclusions.owner,
            face: personExclusions.face,
            person: sql<number>`${id}`.as('person'),
          })
          .from(personExclusions)
          .where(
            and(eq(personExclusions.owner, owner), inArray(personExclusions.person, [...others]), allExist),
          ),
      )
      .onConflictDoNothing(),
    database
      .delete(personExclusions)
      .where(
        and(
          eq(personExclusions.owner, owner),
          eq(personExclusions.person, id),
          allExist,
          sql`${personExclusions.face} IN (SELECT faces.id FROM faces WHERE faces.owner = ${owner} AND faces.person_id = ${String(id)})`,
        ),
      ),
  ] as const

const madePersons = (owner: string, persons: readonly number[]) =>
  and(eq(groupedPersons.owner, owner), inArray(groupedPersons.person, [...persons]))

/** Statement for a user's decision about persons: an undo of groupings leaves them their faces, or these of them. */
export const keepGroupedOf = (
  database: Database,
  owner: string,
  persons: readonly number[],
  ids?: readonly number[],
) =>
  database
    .delete(groupedFaces)
    .where(
      and(
        eq(groupedFaces.owner, owner),
        inArray(groupedFaces.person, [...persons]),
        ids && inArray(groupedFaces.face, [...ids]),
        or(
          isNotNull(groupedFaces.before),
          inArray(
            groupedFaces.person,
            database
              .select({ person: groupedPersons.person })
              .from(groupedPersons)
              .where(madePersons(owner, persons)),
          ),
        ),
      ),
    )

/** Statements for a user's decision about faces and persons: an undo of groupings does not change these. */
export const keepGrouped = (
  database: Database,
  owner: string,
  { faces: ids = [], persons = [] }: { faces?: readonly number[]; persons?: readonly number[] },
) =>
  [
    // Two statements: SQLite uses one index of an OR only when each of its terms has one.
    database
      .delete(groupedFaces)
      .where(and(sql`+${groupedFaces.owner} = ${owner}`, inArray(groupedFaces.face, [...ids]))),
    keepGroupedOf(database, owner, persons),
    database.delete(groupedPersons).where(madePersons(owner, persons)),
  ] as const
