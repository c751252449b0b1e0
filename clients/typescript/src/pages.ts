/** Lists that the service returns in pages, and the base of the resources that have them. */
import type { Fields } from './fields.ts'
import type { CallOptions, Send } from './send.ts'

/** One page as the API returns it. */
export interface Page<T> {
  results: T[]
  next_page?: string | null
}

/**
 * A list, newest first. `for await` visits each entry and requests a page when it is needed. A list can be read again, from
 * its beginning. Entries that are added during the reading do not repeat others.
 */
export class Pages<T> implements AsyncIterable<T> {
  readonly #fetchPage: (query: Fields) => Promise<Page<T>>
  readonly #first: Fields

  /** `fetchPage` requests the page of a query; `first` is the query of the first page. */
  constructor(fetchPage: (query: Fields) => Promise<Page<T>>, first: Fields = {}) {
    this.#fetchPage = fetchPage
    this.#first = first
  }

  /** The pages themselves. Lists that the API returns as a whole have one page. */
  async *pages(): AsyncGenerator<T[], void, undefined> {
    for (let query: Fields | undefined = this.#first; query !== undefined; ) {
      const { results, next_page }: Page<T> = await this.#fetchPage(query)
      yield results
      query = next_page ? Object.fromEntries(new URL(next_page, 'http://page').searchParams) : undefined
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const page of this.pages()) yield* page
  }

  /** All entries, or the first `most` of them. */
  async toArray(most = Number.POSITIVE_INFINITY): Promise<T[]> {
    const entries: T[] = []
    if (most <= 0) return entries
    for await (const entry of this) if (entries.push(entry) >= most) break
    return entries
  }
}

/** A resource of the API. */
export class Resource {
  protected readonly send: Send

  constructor(send: Send) {
    this.send = send
  }

  /** The list at a path. */
  protected pages<T>(
    path: string,
    { pageSize, ...filter }: Fields & { pageSize?: number | undefined },
    options: CallOptions | undefined,
  ): Pages<T> {
    const fetchPage = async (query: Fields): Promise<Page<T>> => {
      const page = await this.send<Page<T> | T[]>({ method: 'GET', path, query }, options)
      return Array.isArray(page) ? { results: page } : page
    }
    return new Pages(fetchPage, { ...filter, limit: pageSize })
  }
}
