/** All queries on uploaded recordings. The database's clock gives their times. */
import { and, eq, exists, gt, isNull, lte, not, or, sql } from 'drizzle-orm'
import { CAMERA_LIMITS } from '../../../contract/limits/cameras.ts'
import type { RecordingReport } from '../../../contract/model/camera.ts'
import type { Database } from '../database.ts'
import { cameras, NOW_MS, owners } from '../schema.ts'
import { recordings } from './schema.ts'

export type StoredRecording = typeof recordings.$inferSelect

/** What tells a file apart. */
export type RecordingFile = Pick<StoredRecording, 'owner' | 'camera' | 'start' | 'size'>

const isOf = (owner: string, camera: string) =>
  and(eq(recordings.owner, owner), eq(recordings.camera, camera))

const isFile = ({ owner, camera, start, size }: RecordingFile) =>
  and(isOf(owner, camera), eq(recordings.start, start), eq(recordings.size, size))

const HAS_ENDED = sql`${recordings.report} ->> 'end' IS NOT NULL`

/** A recording that is not fresh is cancelled or abandoned, and never becomes fresh again. */
const IS_FRESH = gt(recordings.changed, sql`${NOW_MS} - ${CAMERA_LIMITS.recordingMs}`)
const IS_OPEN = and(IS_FRESH, not(HAS_ENDED))

export async function recordingOf(
  database: Database,
  owner: string,
  camera: string,
): Promise<StoredRecording | undefined> {
  const [row] = await database.select().from(recordings).where(isOf(owner, camera))
  return row
}

export const recordingsOf = (database: Database, owner: string): Promise<StoredRecording[]> =>
  database.select().from(recordings).where(eq(recordings.owner, owner))

/** This file is neither read nor cancelled, and its owner is not being deleted. */
function isOpenFile(database: Database, file: RecordingFile) {
  const owner = database
    .select({ id: owners.id })
    .from(owners)
    .where(and(eq(owners.id, file.owner), eq(owners.deleting, false)))
  return and(isFile(file), IS_OPEN, exists(owner))
}

/** This file, if it is open. */
export async function openRecording(
  database: Database,
  file: RecordingFile,
): Promise<StoredRecording | undefined> {
  const [row] = await database.select().from(recordings).where(isOpenFile(database, file))
  return row
}

/** The number of the owner's recordings that are neither read nor cancelled. */
export const countOpenRecordings = (database: Database, owner: string) =>
  database.$count(recordings, and(eq(recordings.owner, owner), IS_OPEN))

/** Begins a recording, also in place of a read one. False while the camera has another recording, or the owner too many. */
export async function beginRecording(
  database: Database,
  { owner, camera, start, size }: RecordingFile,
): Promise<boolean> {
  const { rowsAffected } = await database.run(sql`
    INSERT INTO recordings (camera, owner, start, size, changed)
    SELECT ${camera}, ${owner}, ${start}, ${size}, ${NOW_MS}
    WHERE ${countOpenRecordings(database, owner)} < ${CAMERA_LIMITS.recordings}
    ON CONFLICT (camera) DO UPDATE
    SET start = excluded.start, size = excluded.size, changed = excluded.changed, watcher = NULL, report = NULL
    WHERE ${and(isOf(owner, camera), HAS_ENDED, IS_FRESH, eq(recordings.received, 0))}`)
  return rowsAffected > 0
}

/** Counts a stored piece if the file is open, and this piece is its next one: a repeated request may have counted it. */
export async function addPiece(
  database: Database,
  file: RecordingFile,
  { at, bytes }: { at: number; bytes: number },
): Promise<void> {
  await database
    .update(recordings)
    .set({ received: at + bytes, changed: NOW_MS })
    .where(and(isOpenFile(database, file), eq(recordings.received, at)))
}

/**
 * Stores the report of a watcher, which holds the recording for CAMERA_LIMITS.leaseMs. False for an incomplete or cancelled one, and
 * while another watcher holds it. A report of the end can be repeated.
 */
export async function reportRecording(
  database: Database,
  file: RecordingFile,
  { watcher, report }: { watcher: string; report: RecordingReport },
): Promise<boolean> {
  const isMine = eq(recordings.watcher, watcher)
  const isFree = or(
    isMine,
    isNull(recordings.watcher),
    lte(recordings.changed, sql`${NOW_MS} - ${CAMERA_LIMITS.leaseMs}`),
  )
  const isReadable = and(IS_OPEN, eq(recordings.received, recordings.size), isFree)
  const isRepeated = report.end && and(HAS_ENDED, isMine)
  const { rowsAffected } = await database
    .update(recordings)
    .set({ watcher, report, changed: NOW_MS })
    .where(and(isFile(file), or(isReadable, isRepeated)))
  return rowsAffected > 0
}

export async function cancelRecording(database: Database, file: RecordingFile): Promise<void> {
  await database.update(recordings).set({ changed: 0 }).where(isFile(file))
}

/** Cancels the recordings of deleted cameras, and returns all whose pieces are no longer needed. Mostly there are none. */
export async function spentRecordings(database: Database): Promise<StoredRecording[]> {
  const camera = database
    .select({ id: cameras.id })
    .from(cameras)
    .where(and(eq(cameras.id, recordings.camera), eq(cameras.deleting, false)))
  const isLeft = not(exists(camera))
  const spent = await database
    .select()
    .from(recordings)
    .where(or(isLeft, not(IS_FRESH), and(HAS_ENDED, gt(recordings.received, 0))))
  if (spent.length > 0) await database.update(recordings).set({ changed: 0 }).where(isLeft)
  return spent
}

/** The pieces are removed: deletes the row of a cancelled recording, and keeps the result of a read one. */
export async function settleRecording(database: Database, file: RecordingFile): Promise<void> {
  await database.batch([
    database.delete(recordings).where(and(isFile(file), not(IS_FRESH))),
    database
      .update(recordings)
      .set({ received: 0 })
      .where(and(isFile(file), HAS_ENDED)),
  ])
}
