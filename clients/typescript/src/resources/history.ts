/** History: faces that cameras posted. */
import { Pages } from '../pages.ts'
import type { CallOptions, Send } from '../send.ts'
import type { HistoryEvent, HistoryFilter } from '../types.ts'

/** Events per request. Without a limit the API returns all events at once. */
const PAGE_SIZE = 100

export class History {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Lists the events of cameras, newest first. */
  search(
    { pageSize = PAGE_SIZE, ...filter }: HistoryFilter & { pageSize?: number | undefined } = {},
    options?: CallOptions,
  ): Pages<HistoryEvent> {
    return new Pages(query => this.#send({ method: 'GET', path: `/history/search${query}` }, options), {
      ...filter,
      limit: pageSize,
    })
  }
}
