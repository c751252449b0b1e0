/** Persons: groups of faces that belong to one human. */
import { Pages } from '../pages.ts'
import type { CallOptions, Send } from '../send.ts'
import type { Person, PersonHistoryEntry, PersonHistoryFilter } from '../types.ts'

export class Persons {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  list(options?: CallOptions): Pages<Person> {
    return new Pages(() => this.#send({ method: 'GET', path: '/persons' }, options))
  }

  get(id: number, options?: CallOptions): Promise<Person> {
    return this.#send({ method: 'GET', path: `/person/id/${id}` }, options)
  }

  /** Deletes a person and all faces of this person. */
  delete(id: number, options?: CallOptions): Promise<void> {
    return this.#send({ method: 'DELETE', path: `/person/id/${id}` }, options)
  }

  /** Lists the camera events of a person, newest first. */
  history(id: number, filter: PersonHistoryFilter = {}, options?: CallOptions): Pages<PersonHistoryEntry> {
    return new Pages(
      query => this.#send({ method: 'GET', path: `/person/history/id/${id}${query}` }, options),
      filter,
    )
  }
}
