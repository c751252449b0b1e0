/** Hand-written methods of resources: each makes more than one request of the API. */
import type { Photo } from './fields.ts'
import { Alerts as AlertMethods, Faces as FaceMethods, Galleries as GalleryMethods } from './methods.ts'
import type { Page } from './pages.ts'
import type { CallOptions } from './send.ts'
import type { AlertMark, EnrolParameters, Face, Gallery } from './types.ts'

export interface EnrolOptions extends CallOptions {
  /** Name of the enrolment: 1 to 255 characters of ASCII. Repeated within 24 hours, it returns the same faces. Default: a random one. */
  idempotencyKey?: string
  /** Called when not all faces of the photo were enrolled, with their number. */
  onFacesSeen?: (faces: number) => void
}

export class Faces extends FaceMethods {
  /** Enrols the selected faces of a photo: all of them or none. Retries never enrol a face twice. Throws TypeError for an invalid key. */
  async enrol(
    photo: Photo,
    parameters: EnrolParameters = {},
    { idempotencyKey = crypto.randomUUID(), onFacesSeen, ...options }: EnrolOptions = {},
  ): Promise<Face[]> {
    // The service ignores an empty key: a retry would enrol twice.
    if (!/^[\x20-\x7e]{1,255}$/.test(idempotencyKey) || idempotencyKey.trim() === '')
      throw new TypeError('idempotencyKey: expected 1 to 255 characters of ASCII.')
    const onHeaders = (headers: Headers) => {
      const seen = Number(headers.get('x-faces-seen'))
      if (seen > 1) onFacesSeen?.(seen)
    }
    const request = { method: 'POST', path: '/face', body: parameters, photos: { photo } } as const
    const { results } = await this.send<Page<Face>>(
      { ...request, idempotencyKey, repeatable: true, onHeaders },
      options,
    )
    return results
  }

  /** Stores the photo of the enrolment, or an MP4 file, if the camera of the face keeps snapshots or clips. Replaces an earlier one. */
  putFootage(id: number, kind: 'snapshot' | 'clip', file: Photo, options?: CallOptions): Promise<void> {
    return this.send({ method: 'PUT', path: `/face/id/${id}/${kind}`, photos: { [kind]: file } }, options)
  }
}

/** A gallery without its retention. */
export type NamedGallery = Omit<Gallery, 'retention_days'>

export class Galleries extends GalleryMethods {
  /** Lists all galleries with their display names. */
  async named(options?: CallOptions): Promise<NamedGallery[]> {
    const { results, display_names: names = {} } = await this.send<{
      results: string[]
      display_names?: Record<string, string>
    }>({ method: 'GET', path: '/galleries' }, options)
    return results.map(name => ({ name, ...(names[name] !== undefined && { display_name: names[name] }) }))
  }
}

export class Alerts extends AlertMethods {
  /** The number of unseen alerts. */
  async unseen(options?: CallOptions): Promise<number> {
    const request = { method: 'GET', path: '/alerts/history', query: { limit: 1 } } as const
    return (await this.send<AlertMark>(request, options)).unseen
  }
}
