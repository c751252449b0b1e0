/** Parameters of lists: pages in descending order of ids with links to their neighbours, and filters of faces and events. */
import * as z from 'zod'
import { FACE_LIMITS } from '../limits/faces.ts'
import type { HistoryFilter } from '../model/history.ts'
import { timestampText } from '../timestamps.ts'
import { boolean, integer, optional, timestamp } from './fields.ts'
import { id } from './ids.ts'

/** `max_id` and `min_id` are exclusive bounds. */
export const pageParameters = {
  max_id: optional(id),
  min_id: optional(id),
  limit: optional(integer(1, FACE_LIMITS.pageSize)),
}

export type PageParameters = z.output<z.ZodObject<typeof pageParameters>>

/** The page parameters as fields of an RPC request. */
export const pageRequest = ({ max_id, min_id, limit = FACE_LIMITS.defaultPageSize }: PageParameters) => ({
  limit,
  maxId: max_id,
  minId: min_id,
})

/** Query that links to other pages repeat: the limit, if the caller set one. */
export const pageQuery = ({ limit }: PageParameters): Record<string, number> =>
  limit === undefined ? {} : { limit }

interface Page {
  items: readonly { id: number }[]
  newer: boolean
  older: boolean
}

const link = z.string().nullable()

/** The links beside a page's results: path and query, null where there is no further page. */
export const PageLinks = { prev_page: link, next_page: link }

/**
 * Links to the pages before and after this one; null at the ends. Both links keep `query`. The neighbours of a page without
 * items begin at its bounds.
 */
export function pageLinks(
  path: string,
  page: Page,
  { max_id = 0, min_id = 0 }: PageParameters,
  query: Record<string, string | number>,
) {
  const link = (key: string, id: number) =>
    `${path}?${new URLSearchParams({ ...(query as Record<string, string>), [key]: String(id) })}`
  return {
    prev_page: page.newer ? link('min_id', page.items[0]?.id ?? Math.max(0, max_id - 1)) : null,
    next_page: page.older
      ? link('max_id', page.items.at(-1)?.id ?? Math.min(Number.MAX_SAFE_INTEGER, min_id + 1))
      : null,
  }
}

/** First and last time, both inclusive. */
export const timeParameters = { start: optional(timestamp), end: optional(timestamp) }

/** The id of a person, and whether the camera saw a friend. */
export const sightingParameters = {
  person_id: optional(id),
  friend: optional(boolean),
}

type FilterParameters = Partial<z.output<z.ZodObject<typeof timeParameters & typeof sightingParameters>>>

/** The parameters as fields of an RPC request. */
export const filterOf = (
  cameras: string[],
  { start, end, person_id, friend }: FilterParameters,
): HistoryFilter => ({ cameras, start, end, personId: person_id, friend })

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
