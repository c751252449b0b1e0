/** Finds expired faces: those enrolled longer ago than a gallery, a camera or an owner retains them. */
import { and, asc, eq, gt, inArray, isNotNull, lt, min, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/sqlite-core'
import { IDS_OF_A_DAY, leastIdSince } from '../../../contract/ids.ts'
import { FACE_LIMITS } from '../../../contract/limits/faces.ts'
import { DEFAULT_GALLERY } from '../../../contract/model/gallery.ts'
import type { Database } from '../database.ts'
import { inScope } from '../persons/template-faces.ts'
import { detectConcurrentChange, guardRevision } from '../revisions.ts'
import { cameras, faces, galleries, owners } from '../schema.ts'

/** An owner with at least one retention, and the least number of days among them. */
export interface Retaining {
  owner: string
  days: number
}

export async function retainingOwners(database: Database): Promise<Retaining[]> {
  const rows = await unionAll(
    database
      .select({ owner: owners.id, days: sql<number>`${owners.retentionDays}`.as('days') })
      .from(owners)
      .where(isNotNull(owners.retentionDays)),
    database
      .select({ owner: galleries.owner, days: sql<number>`${min(galleries.retentionDays)}`.as('days') })
      .from(galleries)
      .where(isNotNull(galleries.retentionDays))
      .groupBy(galleries.owner),
    database
      .select({ owner: cameras.owner, days: sql<number>`${min(cameras.retentionDays)}`.as('days') })
      .from(cameras)
      .where(isNotNull(cameras.retentionDays))
      .groupBy(cameras.owner),
  )
  return [...Map.groupBy(rows, row => row.owner)].map(([owner, theirs]) => ({
    owner,
    days: Math.min(...theirs.map(({ days }) => days)),
  }))
}

interface ExpiredFace {
  id: number
  personId: number | string | null
  /** Whether it has a picture, a snapshot or a clip. */
  hasPictures: boolean
}

/** One step of a scan over an owner's faces, and the expired faces among them. */
interface RetentionScan {
  expired: ExpiredFace[]
  /** The highest id that was read; undefined after the last face. */
  last: number | undefined
}

const HAS_PICTURES = sql<boolean>`(faces.pictured OR faces.snapshot OR faces.clip)`.mapWith(Boolean)

/**
 * Reads the next faces of an owner above an id that are older than the owner's least retention. A face expires when the
 * retention of any of its galleries, or of its camera, has passed. A face in no named gallery and of no known camera
 * expires with the owner's retention. The id determines the age of a face, not the time that a caller gave. `now` is in
 * Unix milliseconds.
 */
export async function nextExpired(
  database: Database,
  { owner, days }: Retaining,
  now: number,
  above: number,
  limit: number,
): Promise<RetentionScan> {
  const old = sql.raw(`faces.id < ${leastIdSince(now)} - ${IDS_OF_A_DAY} *`)
  const expired = sql<number>`(
    EXISTS (
      SELECT 1 FROM memberships JOIN galleries
        ON galleries.owner = memberships.owner AND galleries.name = memberships.gallery
      WHERE memberships.face = faces.id
        AND ${old} galleries.retention_days
    ) OR EXISTS (
      SELECT 1 FROM cameras
      WHERE cameras.owner = faces.owner AND cameras.id = faces.cam_id AND ${old} cameras.retention_days
    ) OR (
      EXISTS (SELECT 1 FROM owners WHERE owners.id = faces.owner AND ${old} owners.retention_days)
      AND NOT EXISTS (SELECT 1 FROM memberships WHERE memberships.face = faces.id) AND NOT EXISTS (
        SELECT 1 FROM cameras WHERE cameras.owner = faces.owner AND cameras.id = faces.cam_id
      )
    )
  )`
  const rows = await database
    .select({ id: faces.id, personId: faces.personId, hasPictures: HAS_PICTURES, expired })
    .from(faces)
    .where(
      and(eq(faces.owner, owner), gt(faces.id, above), lt(faces.id, leastIdSince(now) - IDS_OF_A_DAY * days)),
    )
    .orderBy(asc(faces.id))
    .limit(limit)
  return { expired: rows.filter(row => row.expired), last: rows.at(-1)?.id }
}

/**
 * Ids of the faces that outlive their retention, because their person is to be ignored and stays recognised by them:
 * FACE_LIMITS.silentFaces of each of these persons, confirmed ones first, then by quality, without faces that are set aside.
 */
export async function facesOfSilent(
  database: Database,
  owner: string,
  persons: readonly number[],
): Promise<Set<number>> {
  const rows = await database.all<{ id: number }>(sql`
    SELECT faces.id AS id FROM persons CROSS JOIN faces
    WHERE persons.owner = ${owner} AND persons.id IN (SELECT value FROM json_each(${JSON.stringify(persons)})) AND persons.silent = 1
      AND faces.id IN (
        SELECT theirs.id FROM faces theirs
        WHERE ${inScope({ owner, gallery: DEFAULT_GALLERY }, 'theirs')} AND theirs.person_id = CAST(persons.id AS TEXT)
        ORDER BY theirs.confirmed DESC, coalesce(theirs.measured_quality, theirs.quality ->> '$.quality', 1) DESC, theirs.id DESC
        LIMIT ${FACE_LIMITS.silentFaces}
      )`)
  return new Set(rows.map(({ id }) => id))
}

/** Marks that nothing but the rows and vectors of these faces is stored. Rejects with ConcurrentChange. */
export async function markPicturesDeleted(
  database: Database,
  owner: string,
  ids: readonly number[],
  revision: number | undefined,
): Promise<void> {
  await detectConcurrentChange(() =>
    database.batch([
      database
        .update(faces)
        .set({ pictured: false, snapshot: false, clip: false })
        .where(and(eq(faces.owner, owner), inArray(faces.id, [...ids]))),
      ...guardRevision(database, owner, revision),
    ]),
  )
}
