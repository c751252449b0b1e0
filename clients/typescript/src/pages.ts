/** Lists that the service returns in pages, and the base of the resources that have them. */
import { type Fields, queryOf } from './fields.ts'
import type { CallOptions, Send } from './send.ts'

/** One page as the API returns it. */
export interface Page<T> {
  results: T[]
  next_page?: string | null
}

/**
 * A list, newest first. `for await` visits each entry and requests a page when it is needed. A list can be read again, from
 * its beginning. Entries that are added meanwhile do not repeat others.
 */
export class Pages<T> implements AsyncIterable<T> {
  readonly #fetchPage: (query: string) => Promise<Page<T>>
  readonly #query: string

  /** `fetchPage` requests the page of a query string. `fields` is the query of the first page. */
  constructor(fetchPage: (query: string) => Promise<Page<T>>, fields: Fields = {}) {
    this.#fetchPage = fetchPage
    this.#query = queryOf(fields)
  }

  /** The pages themselves. Lists that the API returns as a whole have one page. */
  async *pages(): AsyncGenerator<T[], void, undefined> {
    for (let query: string | undefined = this.#query; query !== undefined; ) {
      const { results, next_page }: Page<T> = await this.#fetchPage(query)
      yield results
      query = next_page ? new URL(next_page, 'http://page').search : undefined
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

/** A resource of the API: requests below its path. */
export class Resource {
  protected readonly send: Send

  constructor(send: Send) {
    this.send = send
  }

  /** The list at a path. `fields` is the query of its first page. */
  protected pages<T>(path: string, options: CallOptions | undefined, fields: Fields = {}): Pages<T> {
    return new Pages(query => this.send({ method: 'GET', path: path + query }, options), fields)
  }
}
