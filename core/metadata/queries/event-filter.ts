/** Conditions that the history and the lists of faces share: person, cameras, time and friend. */
import { and, eq, gte, inArray, lte, type SQL, sql } from 'drizzle-orm'
import { faces } from '../schema.ts'
import { type FriendRule, friendBy } from './friends.ts'

/** Conditions on faces. All must hold. An absent field and an empty list are no condition. */
export interface EventFilter {
  personId?: number | undefined
  cameras: readonly string[]
  /** Microseconds since 1970; both bounds are included. */
  start?: number | undefined
  end?: number | undefined
  friend?: boolean | undefined
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
    friend === undefined ? undefined : sql`${friendBy(friends)} = ${Number(friend)}`,
  )
