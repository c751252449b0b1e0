/** Many events without pictures and vectors, inserted as rows of the metadata. */
import { randomUUID } from 'node:crypto'
import { tokenHash } from '#contract/model/token.ts'
import { closeDatabase, openDatabase } from '#core/metadata/database.ts'
import { commitEnrolment } from '#core/metadata/queries/enrolments.ts'
import type { FaceRow } from '#core/metadata/queries/faces.ts'
import { tokenOfHash } from '#core/metadata/queries/tokens.ts'
import type { Service } from '../harness/service.ts'

/** Rows per transaction. */
const CHUNK = 1_000

/**
 * Microseconds between two events: one person before one camera for a week, the slowest case for counting companions.
 */
const STEP_MICROS = 6_000_000

/** Time of the first event, in microseconds since 1970. */
const BEGIN_MICROS = 1_700_000_000_000_000

/** Ids of the faces, from `first` on, and which of them have pictures. */
interface Inserted {
  first?: number
  pictured?: (id: number) => boolean
}

/**
 * Inserts faces of the token's owner, posted by one camera: rows without pictures and vectors. Resolves with the id of the
 * owner.
 */
export async function insertEvents(
  { data, token }: Service,
  count: number,
  { first: begin = 1, pictured = () => true }: Inserted = {},
): Promise<string> {
  const database = await openDatabase(data)
  try {
    const owner = (await tokenOfHash(database, (await tokenHash(token)) ?? '', Date.now() * 1000))?.owner
    if (owner === undefined) throw new Error('The token has no owner.')
    for (let first = begin; first < begin + count; first += CHUNK) {
      const length = Math.min(CHUNK, begin + count - first)
      const faces = Array.from({ length }, (_, i) => eventRow(owner, first + i, pictured(first + i)))
      const work = { id: randomUUID(), since: Date.now() }
      await commitEnrolment(database, { work, owner, faces, persons: [], galleries: [] })
    }
    return owner
  } finally {
    await closeDatabase(database)
  }
}

const eventRow = (owner: string, id: number, pictured: boolean): FaceRow => ({
  id,
  owner,
  timestamp: BEGIN_MICROS + id * STEP_MICROS,
  photo: `camera-1/${id}.jpg`,
  photoHash: id.toString(16).padStart(64, '0'),
  x1: 100,
  y1: 100,
  x2: 200,
  y2: 220,
  meta: `visitor ${id % 100}`,
  personId: 1,
  camera: '0123456789abcdef0123456789abcdef',
  age: null,
  gender: null,
  emotions: null,
  quality: null,
  liveness: null,
  detectorInfo: null,
  pictured,
})
