/** POST and GET /history/search: events of cameras, filtered by person, camera and time. */
import * as z from 'zod'
import { HistoryEventSchema } from '../../contract/model/history.ts'
import type { Core } from '../core-client/core-client.ts'
import { streamedAnswer } from '../http/streamed.ts'
import { filterOf, filterQuery, sightingParameters, timeParameters } from '../parameters/event-filter.ts'
import { omitUndefined } from '../parameters/omit-undefined.ts'
import { cameraFilter, gallery, integer, optional, withDefault } from '../parameters/parameter-fields.ts'
import { operation } from './operation.ts'
import type { OperationCall } from './route.ts'

const number = integer(0, Number.MAX_SAFE_INTEGER)

/** Filter of events: cameras, and first and last time, both inclusive. */
export const eventParameters = { cam_ids: withDefault(cameraFilter, []), ...timeParameters }

const SearchParameters = z.object({
  ...eventParameters,
  ...sightingParameters,
  gallery: optional(gallery),
  limit: withDefault(number, 0),
  max_id: optional(number),
})
type SearchParameters = z.output<typeof SearchParameters>

const common = {
  needs: 'read',
  path: '/history/search',
  topic: 'History',
  summary: 'List the events of cameras, newest first',
  details:
    'An event is a face that was posted with a `cam_id`. Without a `limit`, or with 0, the response contains all events. ' +
    '`next_page` is absent on the last page. It supports GET and POST.',
  parameters: SearchParameters,
  status: 200,
  answer: z.strictObject({ results: z.array(HistoryEventSchema), next_page: z.string().optional() }),
} as const

export const searchHistory = operation(
  { ...common, name: 'searchHistory', method: 'post' },
  ({ core }, call) => events(core, call),
)

export const browseHistory = operation(
  { ...common, name: 'browseHistory', method: 'get' },
  ({ core }, call) => events(core, call),
)

async function events(
  core: Core,
  { caller, params, path }: OperationCall<SearchParameters>,
): Promise<Response> {
  const { cam_ids, gallery, limit, max_id } = params
  const filter = { ...filterOf(cam_ids, params), ...omitUndefined('gallery', gallery) }
  const question = { owner: caller.owner, filter, limit, ...omitUndefined('maxId', max_id) }
  const found = await core.stream('history.search', question)
  return streamedAnswer(
    found,
    event => event,
    ({ older }, last) => (older && last ? { next_page: `${path}?${nextPageQuery(params, last.id)}` } : {}),
  )
}

/** Query of the page after an event, with the filter of this page. */
function nextPageQuery(
  { cam_ids, gallery, limit, ...params }: SearchParameters,
  id: number,
): URLSearchParams {
  return new URLSearchParams({
    ...filterQuery({ cam_ids }, params),
    ...omitUndefined('gallery', gallery),
    limit: String(limit),
    max_id: String(id),
  })
}
