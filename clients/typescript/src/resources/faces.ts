/** Enrolled faces, their metas, and galleries: named sets of faces. */
import { appendFields, appendPhoto, type Photo, queryOf, segment } from '../fields.ts'
import { type Page, type Pages, Resource } from '../pages.ts'
import type { CallOptions } from '../send.ts'
import type {
  EnrolParameters,
  Face,
  FaceChange,
  FaceConditions,
  Finding,
  Gallery,
  GalleryChange,
  GalleryParameters,
  GalleryStatistics,
  MetaEntry,
} from '../types.ts'

export interface EnrolOptions extends CallOptions {
  /** Name of the enrolment: 1 to 255 characters of ASCII. Repeated within 24 hours, it returns the same faces. Default: a random one. */
  idempotencyKey?: string
  /** Called when not all faces of the photo were enrolled, with their number. */
  onFacesSeen?: (faces: number) => void
}

export interface FaceOptions extends CallOptions {
  /** Reports the person of the face, and how sure that is. */
  who?: boolean
}

export interface FacesFilter extends FaceConditions {
  /** Faces of this gallery. Default: all. */
  gallery?: string | undefined
  /** Faces per request, 1 to 1,000. Default: 100. */
  pageSize?: number | undefined
  /** Faces with a smaller id. */
  max_id?: number | undefined
}

const scopeOf = (gallery?: string): string => (gallery === undefined ? '' : `/gallery/${segment(gallery)}`)

export class Faces extends Resource {
  /** Enrols the selected faces of a photo: all of them or none. Retries never enrol a face twice. Throws TypeError for an invalid key. */
  async enrol(
    photo: Photo,
    parameters: EnrolParameters = {},
    { idempotencyKey = crypto.randomUUID(), onFacesSeen, ...options }: EnrolOptions = {},
  ): Promise<Face[]> {
    // The service ignores an empty key: a retry would enrol twice.
    if (!/^[\x20-\x7e]{1,255}$/.test(idempotencyKey) || idempotencyKey.trim() === '')
      throw new TypeError('idempotencyKey: expected 1 to 255 characters of ASCII.')
    const body = new FormData()
    await appendPhoto(body, 'photo', photo)
    appendFields(body, parameters)
    const onHeaders = (headers: Headers) => {
      const seen = Number(headers.get('x-faces-seen'))
      if (seen > 1) onFacesSeen?.(seen)
    }
    const request = {
      method: 'POST',
      path: '/face',
      body,
      idempotencyKey,
      repeatable: true,
      onHeaders,
    } as const
    return (await this.send<Page<Face>>(request, options)).results
  }

  /** Lists faces, newest first. */
  list({ gallery, pageSize, ...filter }: FacesFilter = {}, options?: CallOptions): Pages<Face> {
    const scope = scopeOf(gallery)
    return this.pages(`/faces${scope}`, options, { ...filter, limit: pageSize })
  }

  get(id: number, { who, ...options }: FaceOptions = {}): Promise<Face> {
    return this.send({ method: 'GET', path: `/face/id/${id}${who ? '?who=true' : ''}` }, options)
  }

  /** Changes the meta, the person, the galleries or the review of a face, and returns the face. */
  update(id: number, change: FaceChange, options?: CallOptions): Promise<Face> {
    return this.send({ method: 'PUT', path: `/face/id/${id}`, body: change }, options)
  }

  /** Stores the photo of the enrolment, or an MP4 file, if the camera of the face keeps snapshots or clips. Replaces an earlier one. */
  async putMoment(id: number, kind: 'snapshot' | 'clip', file: Photo, options?: CallOptions): Promise<void> {
    const body = new FormData()
    await appendPhoto(body, kind, file)
    await this.send({ method: 'PUT', path: `/face/id/${id}/${kind}`, body }, options)
  }

  /** Deletes a face with its vector and its pictures. */
  delete(id: number, options?: CallOptions): Promise<void> {
    return this.send({ method: 'DELETE', path: `/face/id/${id}` }, options)
  }

  /** Deletes all faces with a meta, in all galleries or the faces that are in one. They are deleted from every gallery. */
  deleteWithMeta(
    meta: string,
    { gallery }: { gallery?: string | undefined } = {},
    options?: CallOptions,
  ): Promise<void> {
    const path = `/face${scopeOf(gallery)}/meta${queryOf({ meta })}`
    return this.send({ method: 'DELETE', path }, options)
  }
}

export interface MetasFilter {
  /** Metas of the faces of this gallery. Default: all. */
  gallery?: string | undefined
  /** Metas per request, 1 to 1,000. Default: 100. */
  pageSize?: number | undefined
}

export class Metas extends Resource {
  /** Lists each meta with the number of its faces and the first of them. */
  list({ gallery, pageSize }: MetasFilter = {}, options?: CallOptions): Pages<MetaEntry> {
    const path = gallery === undefined ? '/meta' : `/meta/gallery/${segment(gallery)}`
    return this.pages(path, options, { limit: pageSize })
  }
}

/** A gallery without its retention. */
export type NamedGallery = Omit<Gallery, 'retention_days'>

const pathOf = (name: string): string => `/galleries/${segment(name)}`

export class Galleries extends Resource {
  /** Lists the names of all galleries. */
  list(options?: CallOptions): Pages<string> {
    return this.pages('/galleries', options)
  }

  /** Lists all galleries with their display names. */
  async named(options?: CallOptions): Promise<NamedGallery[]> {
    const { results, display_names: names = {} } = await this.send<{
      results: string[]
      display_names?: Record<string, string>
    }>({ method: 'GET', path: '/galleries' }, options)
    return results.map(name => ({ name, ...(names[name] !== undefined && { display_name: names[name] }) }))
  }

  /** Lists all galleries with the numbers of their faces and the states of their indexes. */
  statistics(options?: CallOptions): Pages<GalleryStatistics> {
    return this.pages('/statistics/galleries', options)
  }

  /** Creates a gallery. Throws GALLERY_EXISTS if there is one of that name. */
  create(name: string, parameters: GalleryParameters = {}, options?: CallOptions): Promise<Gallery> {
    return this.send({ method: 'POST', path: pathOf(name), body: parameters }, options)
  }

  get(name: string, options?: CallOptions): Promise<Gallery> {
    return this.send({ method: 'GET', path: pathOf(name) }, options)
  }

  /** Lists what is wrong with faces and persons of a gallery. Pages can be empty. */
  check(name: string, options?: CallOptions): Pages<Finding> {
    return this.pages(`${pathOf(name)}/check`, options)
  }

  /** Changes how long a gallery keeps faces, and its display name; an empty one removes it. */
  update(name: string, change: GalleryChange, options?: CallOptions): Promise<Gallery> {
    return this.send({ method: 'PUT', path: pathOf(name), body: change }, options)
  }

  /** Deletes a gallery and the faces in it, from every gallery. */
  delete(name: string, options?: CallOptions): Promise<void> {
    return this.send({ method: 'DELETE', path: pathOf(name) }, options)
  }
}
