/** History: faces that cameras posted. */
import { Pages } from '../pages.ts'
import type { CallOptions, Send } from '../send.ts'
import type { HistoryEvent, HistoryFilter } from '../types.ts'

/** Events per request. Without a limit the API returns all events at once. */
const PAGE_SIZE = 100

interface HistorySearch extends HistoryFilter {
  pageSize?: number | undefined
  max_id?: number | undefined
}

export class History {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Lists the events of cameras, newest first. With `max_id`, only events below this id. */
  search(
    { pageSize = PAGE_SIZE, ...filter }: HistorySearch = {},
    options?: CallOptions,
  ): Pages<HistoryEvent> {
    return new Pages(query => this.#send({ method: 'GET', path: `/history/search${query}` }, options), {
      ...filter,
      limit: pageSize,
    })
  }
}
