/** Metas of enrolled faces. */
import { segment } from '../fields.ts'
import { Pages } from '../pages.ts'
import type { CallOptions, Send } from '../send.ts'
import type { MetaEntry } from '../types.ts'

export interface MetasFilter {
  /** Metas of the faces of this gallery. Default: all. */
  gallery?: string | undefined
  /** Metas per request, 1 to 1,000. Default: 100. */
  pageSize?: number | undefined
}

export class Metas {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Lists each meta with the number of its faces and the first of them. */
  list({ gallery, pageSize }: MetasFilter = {}, options?: CallOptions): Pages<MetaEntry> {
    const path = gallery === undefined ? '/meta' : `/meta/gallery/${segment(gallery)}`
    return new Pages(query => this.#send({ method: 'GET', path: path + query }, options), { limit: pageSize })
  }
}
