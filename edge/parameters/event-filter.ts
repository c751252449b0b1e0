/** Parameters that filter events and faces: person, cameras, time and friend. */
import type { HistoryFilter } from '../../contract/model/history.ts'
import { timestampText } from '../../contract/timestamps.ts'
import { omitUndefined } from './omit-undefined.ts'
import { boolean, integer, optional, timestamp } from './parameter-fields.ts'

/** First and last time, both inclusive. */
export const timeParameters = { start: optional(timestamp), end: optional(timestamp) }

/** The id of a person, and whether the camera saw a friend. */
export const sightingParameters = {
  person_id: optional(integer(0, Number.MAX_SAFE_INTEGER)),
  friend: optional(boolean),
}

interface FilterParameters {
  start?: number | undefined
  end?: number | undefined
  person_id?: number | undefined
  friend?: boolean | undefined
}

/** The parameters as fields of an RPC request. */
export const filterOf = (
  cameras: string[],
  { start, end, person_id, friend }: FilterParameters,
): HistoryFilter => ({
  cameras,
  ...omitUndefined('start', start),
  ...omitUndefined('end', end),
  ...omitUndefined('personId', person_id),
  ...omitUndefined('friend', friend),
})

/** The same parameters as fields of a query. `cameras` holds the parameter of cameras under its name. */
export const filterQuery = (
  cameras: Record<string, string[]>,
  { start, end, person_id, friend }: FilterParameters,
): Record<string, string> => ({
  ...(person_id === undefined ? {} : { person_id: String(person_id) }),
  ...Object.fromEntries(
    Object.entries(cameras).flatMap(([name, ids]) => (ids.length === 0 ? [] : [[name, ids.join()]])),
  ),
  ...(start === undefined ? {} : { start: timestampText(start) }),
  ...(end === undefined ? {} : { end: timestampText(end) }),
  ...(friend === undefined ? {} : { friend: String(friend) }),
})
