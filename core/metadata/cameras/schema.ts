/** The tables of watched cameras and of uploaded recordings. */
import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { CameraReport, RecordingReport } from '../../../contract/model/camera.ts'
import { cameras, json, micros, ownerColumn } from '../schema.ts'

/** A column of the database's time in milliseconds since 1970. */
const millis = (name: string) => integer(name)

/** The watcher that holds a camera, and its last report. The row stays when the lease ends, until a watcher takes the camera. */
export const cameraLeases = sqliteTable(
  'camera_leases',
  {
    camera: text('camera')
      .primaryKey()
      .references(() => cameras.id, { onDelete: 'cascade' }),
    owner: ownerColumn(),
    watcher: text('watcher').notNull(),
    /** When this watcher took the camera, when it reported last, and when its lease ends. */
    since: millis('since').notNull(),
    reported: millis('reported').notNull(),
    ends: millis('ends').notNull(),
    report: json<CameraReport>('report').notNull(),
    /** Viewers want the picture until then. */
    wanted: millis('wanted').notNull().default(0),
    /** JPEG of the last report in base64: sums over rows (row-sums.ts) read no blobs. */
    picture: text('picture'),
  },
  table => [
    index('camera_leases_owner').on(table.owner),
    index('camera_leases_picture').on(table.camera).where(sql`picture IS NOT NULL`),
  ],
)

/** Uploaded recordings. A row outlives its camera until its pieces are removed. */
export const recordings = sqliteTable(
  'recordings',
  {
    camera: text('camera').primaryKey(),
    owner: ownerColumn(),
    /** Time of the first picture. */
    start: micros('start').notNull(),
    /** Bytes of the file, and stored bytes: none after the end. */
    size: integer('size').notNull(),
    received: integer('received').notNull().default(0),
    /** When the last piece or report came. */
    changed: millis('changed').notNull(),
    watcher: text('watcher'),
    /** With an `end`, the pieces are no longer needed. */
    report: json<RecordingReport>('report'),
  },
  table => [index('recordings_owner').on(table.owner)],
)
