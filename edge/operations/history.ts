/** POST and GET /history/search: what cameras posted, by person, camera and time. */
import * as z from 'zod'
import { HistoryEventSchema, type HistoryFilter } from '../../core/contract/model/history.ts'
import { timestampText } from '../../core/contract/timestamps.ts'
import type { Core } from '../core-client/core-client.ts'
import { streamed } from '../http/streamed.ts'
import { given } from '../parameters/omit-undefined.ts'
import {
  boolean,
  cameraIds,
  integer,
  optional,
  timestamp,
  withDefault,
} from '../parameters/parameter-fields.ts'
import { operation } from './operation.ts'
import type { Call } from './route.ts'

const number = integer(0, Number.MAX_SAFE_INTEGER)

/** Cameras and the first and last moment of events. */
export const eventParameters = {
  cam_ids: withDefault(cameraIds, []),
  start: optional(timestamp),
  end: optional(timestamp),
}

interface EventParameters {
  cam_ids: string[]
  start?: number | undefined
  end?: number | undefined
}

/** The same as core is asked. */
export const filterOf = ({ cam_ids, start, end }: EventParameters): HistoryFilter => ({
  cameras: cam_ids,
  ...given('start', start),
  ...given('end', end),
})

const SearchParameters = z.object({
  ...eventParameters,
  person_id: optional(number),
  friend: optional(boolean),
  limit: withDefault(number, 0),
  max_id: optional(number),
})
type SearchParameters = z.output<typeof SearchParameters>

const search = {
  needs: 'read',
  path: '/history/search',
  topic: 'History',
  summary: 'What cameras posted, newest first',
  details:
    'An event is a face that was posted with a `cam_id`. Without a `limit`, or with 0, all events are answered. ' +
    '`next_page` is absent on the last page; it can be fetched by GET and by POST.',
  parameters: SearchParameters,
  status: 200,
  answer: z.strictObject({ results: z.array(HistoryEventSchema), next_page: z.string().optional() }),
} as const

export const searchHistory = operation(
  { ...search, name: 'searchHistory', method: 'post' },
  ({ core }, call) => events(core, call),
)

export const browseHistory = operation(
  { ...search, name: 'browseHistory', method: 'get' },
  ({ core }, call) => events(core, call),
)

async function events(core: Core, { caller, params, path }: Call<SearchParameters>): Promise<Response> {
  const { person_id, friend, limit, max_id } = params
  const filter = { ...filterOf(params), ...given('personId', person_id), ...given('friend', friend) }
  const question = { owner: caller.owner, filter, limit, ...given('maxId', max_id) }
  const found = await core.stream('history.search', question)
  return streamed(
    found,
    event => event,
    ({ older }, last) => (older && last ? { next_page: `${path}?${queryBelow(params, last.id)}` } : {}),
  )
}

/** The query of the page below an event, with every condition of this one. */
function queryBelow(params: SearchParameters, id: number): URLSearchParams {
  const { person_id, cam_ids, start, end, friend, limit } = params
  const query = {
    ...given('person_id', person_id),
    ...(cam_ids.length === 0 ? {} : { cam_ids: cam_ids.join() }),
    ...given('start', start === undefined ? undefined : timestampText(start)),
    ...given('end', end === undefined ? undefined : timestampText(end)),
    ...given('friend', friend),
    limit,
    max_id: id,
  }
  return new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
}
