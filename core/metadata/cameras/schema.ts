/** The table of watched cameras. */
import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { CameraReport } from '../../../contract/model/camera.ts'
import { cameras, json, ownerColumn } from '../schema.ts'

/** A column of the database's time in milliseconds since 1970. */
const millis = (name: string) => integer(name)

/** Which watcher holds a camera, and what it reported last. The row stays when the lease ends, until a watcher takes the camera. */
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
    /** Somebody looks at the picture until then. */
    wanted: millis('wanted').notNull().default(0),
    /** JPEG of the last report in base64: sums over rows (row-sums.ts) read no blobs. */
    picture: text('picture'),
  },
  table => [
    index('camera_leases_owner').on(table.owner),
    index('camera_leases_picture').on(table.camera).where(sql`picture IS NOT NULL`),
  ],
)
