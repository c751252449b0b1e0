/** Cameras, which post faces to the history. */
import { segment } from '../fields.ts'
import { Pages } from '../pages.ts'
import type { CallOptions, Send } from '../send.ts'
import type { Camera, CameraChange, CameraParameters } from '../types.ts'

const pathOf = (id: string): string => `/camera/${segment(id)}`

export class Cameras {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Lists all cameras, oldest first. */
  list(options?: CallOptions): Pages<Camera> {
    return new Pages(async () => ({
      results: await this.#send({ method: 'GET', path: '/camera' }, options),
    }))
  }

  /** Creates a camera. Not repeated after a lost answer: that could create a second one. */
  create(parameters: CameraParameters = {}, options?: CallOptions): Promise<Camera> {
    const request = { method: 'POST', path: '/camera', body: parameters } as const
    return this.#send(request, options)
  }

  get(id: string, options?: CallOptions): Promise<Camera> {
    return this.#send({ method: 'GET', path: pathOf(id) }, options)
  }

  /** Changes a camera. An absent `rot` or `roi` deletes this region. */
  update(id: string, change: CameraChange, options?: CallOptions): Promise<Camera> {
    return this.#send({ method: 'PUT', path: pathOf(id), body: change }, options)
  }

  /** Deletes a camera. Its faces and events remain. */
  delete(id: string, options?: CallOptions): Promise<void> {
    return this.#send({ method: 'DELETE', path: pathOf(id) }, options)
  }
}
