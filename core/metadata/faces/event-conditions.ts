/** Conditions on the events of cameras: person, cameras, time, and the friend rule. */
import { and, eq, gte, inArray, lte, type SQL, sql } from 'drizzle-orm'
import { faces } from '../schema.ts'

/** Conditions on faces. All must hold. An absent field and an empty list are no condition. */
export interface EventFilter {
  personId?: number
  cameras: readonly string[]
  /** Microseconds since 1970; both bounds are included. */
  start?: number
  end?: number
  friend?: boolean
}

/** The SQL condition of a filter; undefined for an empty one. */
export const eventConditions = (
  friends: FriendRule,
  { personId, cameras, start, end, friend }: EventFilter,
): SQL | undefined =>
  and(
    personId === undefined ? undefined : eq(faces.personId, personId),
    cameras.length === 0 ? undefined : inArray(faces.camera, [...cameras]),
    start === undefined ? undefined : gte(faces.timestamp, start),
    end === undefined ? undefined : lte(faces.timestamp, end),
    isFriend(friends, friend),
  )

/** A person is a friend of a camera that saw them on at least `days` distinct UTC days within this time. */
export interface FriendRule {
  days: number
  /** Length in microseconds of the interval that ends at the face's time; both ends are included. */
  within: number
}

/** The rule from the options `friend_count` (days) and `friend_interval` (seconds). */
export const friendRule = ({
  options,
}: {
  options: { friend_count: number; friend_interval: number }
}): FriendRule => ({ days: options.friend_count, within: options.friend_interval * 1e6 })

/** The condition `friend` of a filter. */
export const isFriend = (friends: FriendRule, friend: boolean | undefined): SQL | undefined =>
  friend === undefined ? undefined : sql`${friendBy(friends)} = ${Number(friend)}`

/** Microseconds per day. */
const DAY = 86_400_000_000

/** Condition: `seen` has the owner, person and camera of the face of the outer query. */
const SEEN = sql.raw(
  'seen.owner = faces.owner AND seen.person_id = faces.person_id AND seen.cam_id = faces.cam_id',
)

/** Start of the UTC day after a time. SQL's remainder has the sign of the dividend, which can be negative. */
const dayAfter = (time: SQL) => sql`(${time} - ((${time} % ${DAY}) + ${DAY}) % ${DAY} + ${DAY})`

/**
 * For a query on `faces`: true when the face's camera saw its person on enough days up to the face's time. False
 * without a camera or a person. The query steps from the first sighting of a day to the first one of the next day with
 * a sighting, along the index `faces_sightings`: its cost grows with the days, not with the sightings.
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
