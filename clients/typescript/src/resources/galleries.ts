/** Galleries: named sets of faces. */
import { segment } from '../fields.ts'
import { Pages } from '../pages.ts'
import type { CallOptions, Send } from '../send.ts'
import type { Gallery, GalleryChange, GalleryParameters, GalleryStatistics } from '../types.ts'

const pathOf = (name: string): string => `/galleries/${segment(name)}`

export class Galleries {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Lists the names of all galleries. */
  list(options?: CallOptions): Pages<string> {
    return new Pages(() => this.#send({ method: 'GET', path: '/galleries' }, options))
  }

  /** Lists all galleries with the numbers of their faces and the states of their indexes. */
  statistics(options?: CallOptions): Pages<GalleryStatistics> {
    return new Pages(() => this.#send({ method: 'GET', path: '/statistics/galleries' }, options))
  }

  /** Creates a gallery. Throws GALLERY_EXISTS if there is one of that name. */
  create(name: string, parameters: GalleryParameters = {}, options?: CallOptions): Promise<Gallery> {
    const request = { method: 'POST', path: pathOf(name), body: parameters } as const
    return this.#send(request, options)
  }

  get(name: string, options?: CallOptions): Promise<Gallery> {
    return this.#send({ method: 'GET', path: pathOf(name) }, options)
  }

  /** Changes how long a gallery keeps faces. */
  update(name: string, change: GalleryChange, options?: CallOptions): Promise<Gallery> {
    return this.#send({ method: 'PUT', path: pathOf(name), body: change }, options)
  }

  /** Deletes a gallery and the faces in it, from every gallery. */
  delete(name: string, options?: CallOptions): Promise<void> {
    return this.#send({ method: 'DELETE', path: pathOf(name) }, options)
  }
}
