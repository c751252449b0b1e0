/** Friends: whether a camera had seen a person often enough when it saw them on a face. One expression in SQL. */
import { type SQL, sql } from 'drizzle-orm'

/** A person is a friend of a camera that saw them on so many distinct UTC days within this time. */
export interface FriendRule {
  days: number
  /** Microseconds that end at the face's own time; both ends are within. */
  within: number
}

/** Microseconds of a UTC day. */
const DAY = 86_400_000_000

/** The same person, seen by the same camera, as the face of the outer query. */
const SEEN = sql.raw(
  'seen.owner = faces.owner AND seen.person_id = faces.person_id AND seen.cam_id = faces.cam_id',
)

/** The first moment of the day after this one; SQL's remainder has the sign of what is divided. */
const dayAfter = (moment: SQL): SQL => sql`(${moment} - ((${moment} % ${DAY}) + ${DAY}) % ${DAY} + ${DAY})`

/**
 * For a query on `faces`: true when its camera saw its person on enough days up to its time. False without a camera or
 * without a person. Steps from the first sighting of a day to that of the next day seen, along the index
 * `faces_sightings`: its cost grows with the days, not with the sightings.
 */
export function friendBy({ days, within }: FriendRule): SQL<boolean> {
  const next = dayAfter(sql.raw('days.first'))
  return sql<boolean>`(faces.person_id IS NOT NULL AND faces.cam_id IS NOT NULL AND ${days} <= (
    WITH RECURSIVE days(first) AS (
      SELECT min(seen.timestamp) FROM faces seen
      WHERE ${SEEN} AND seen.timestamp BETWEEN faces.timestamp - ${within} AND faces.timestamp
      UNION ALL
      SELECT (
        SELECT min(seen.timestamp) FROM faces seen
        WHERE ${SEEN} AND seen.timestamp BETWEEN ${next} AND faces.timestamp
      ) FROM days WHERE days.first IS NOT NULL
      LIMIT ${days}
    )
    SELECT count(first) FROM days
  ))`.mapWith(Boolean)
}
