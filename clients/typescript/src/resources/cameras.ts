/** Cameras, which post faces to the history. */
import { appendFields, segment } from '../fields.ts'
import { Pages } from '../pages.ts'
import { appendPhoto, type Photo } from '../photo.ts'
import type { CallOptions, Send } from '../send.ts'
import type {
  Camera,
  CameraChange,
  CameraLease,
  CameraParameters,
  CameraReport,
  CameraState,
} from '../types.ts'

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

  /** Whether a watcher holds the camera and frames arrive, and what it reported last. */
  state(id: string, options?: CallOptions): Promise<CameraState> {
    return this.#send({ method: 'GET', path: `${pathOf(id)}/state` }, options)
  }

  /**
   * The last frame, a JPEG picture with boxes around the faces. The first call makes the watcher send pictures for a while, and
   * rejects with NOT_FOUND and a `retryAfter`.
   */
  picture(id: string, options?: CallOptions): Promise<Blob> {
    return this.#send({ method: 'GET', path: `${pathOf(id)}/picture` }, options)
  }

  /**
   * Takes the camera for a watcher, or reports its state. The lease ends some seconds after the last report. Rejects with
   * CAMERA_TAKEN and a `retryAfter` while another watcher holds the camera.
   */
  async lease(
    id: string,
    { picture, ...report }: CameraReport & { picture?: Photo | undefined },
    options?: CallOptions,
  ): Promise<CameraLease> {
    const path = `${pathOf(id)}/lease`
    if (picture === undefined) return this.#send({ method: 'PUT', path, body: report }, options)
    const body = new FormData()
    await appendPhoto(body, 'picture', picture)
    appendFields(body, report)
    return this.#send({ method: 'PUT', path, body }, options)
  }

  /** Gives the camera back. Other watchers may take it at once. */
  release(id: string, watcher: string, options?: CallOptions): Promise<void> {
    return this.#send({ method: 'DELETE', path: `${pathOf(id)}/lease`, body: { watcher } }, options)
  }

  /** Deletes a camera. Its faces and events remain. */
  delete(id: string, options?: CallOptions): Promise<void> {
    return this.#send({ method: 'DELETE', path: pathOf(id) }, options)
  }
}
