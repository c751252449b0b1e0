/** The store of a running service, read through its store interface. */
import type * as z from 'zod'
import { STORE_LIMITS } from '../../contract/limits/store.ts'
import {
  type GalleryInfo,
  GalleryInfoSchema,
  GalleryInfosSchema,
  galleriesPath,
  galleryPath,
  IndexStateSchema,
  infoPath,
  ListedFacesSchema,
  NO_INDEX_FILE,
} from '../../contract/store-interface.ts'
import type { GalleryStatistics, IndexState, VectorStore } from '../../core/vector-store/vector-store.ts'

/** What commands beside a running service may do with its store. */
export type InspectedStore = Pick<VectorStore, 'galleries' | 'gallery' | 'list' | 'startIndex' | 'indexState'>

/** Time for one response, in milliseconds: longer than the service waits for a shard. */
const PATIENCE_MS = 30_000

/** Core answered another status than 2xx and 404. */
export class CoreRefused extends Error {
  override readonly name = 'CoreRefused'
  readonly status: number

  constructor(path: string, { status }: Response, text: string) {
    super(`core refuses ${path} with ${status}: ${text}`)
    this.status = status
  }
}

/** The store of the core at this origin. Methods throw CoreRefused. */
export function runningStore(core: string, token: string | undefined): InspectedStore {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }

  /** Undefined when core does not have the gallery. */
  async function call<Schema extends z.ZodType>(
    method: 'GET' | 'POST',
    path: string,
    schema: Schema,
  ): Promise<z.output<Schema> | undefined> {
    const signal = AbortSignal.timeout(PATIENCE_MS)
    const response = await fetch(core + path, { method, headers, signal, redirect: 'error' })
    if (response.status === 404) return undefined
    if (!response.ok) throw new CoreRefused(path, response, await response.text())
    return schema.parse(await response.json())
  }

  const index = async (method: 'GET' | 'POST', gallery: string): Promise<IndexState> =>
    (await call(method, galleryPath(gallery, 'index'), IndexStateSchema)) ?? { state: 'none', progress: 1 }

  return {
    async galleries() {
      const infos: GalleryInfo[] = []
      for (;;) {
        const path = `${galleriesPath(infos.length + 1, STORE_LIMITS.statisticsCount)}?info=1`
        const { galleries = [], total = 0 } = (await call('GET', path, GalleryInfosSchema)) ?? {}
        infos.push(...galleries)
        if (galleries.length === 0 || infos.length >= total) return infos.map(statisticsOf)
      }
    },
    async gallery(name) {
      const info = await call('GET', infoPath(name), GalleryInfoSchema)
      return info && statisticsOf(info)
    },
    async list(gallery, from, count) {
      const page = await call('GET', galleryPath(gallery, 'list', from, count), ListedFacesSchema)
      const faces = page?.faces ?? []
      return {
        vectors: faces.map(({ facen, ...face }) => ({ ...face, vector: vectorOf(facen) })),
        next: page?.next ?? undefined,
      }
    },
    startIndex: gallery => index('POST', gallery),
    indexState: gallery => index('GET', gallery),
  }
}

const vectorOf = (facen: string): Float32Array =>
  new Float32Array(Uint8Array.from(Buffer.from(facen, 'base64')).buffer)

const statisticsOf = (info: GalleryInfo): GalleryStatistics => ({
  gallery: info.name,
  linear: info.cnt_linear,
  preindex: info.cnt_preindex,
  indexed: info.cnt_indexed,
  preindexDeleted: info.cnt_preindex_deleted,
  indexedDeleted: info.cnt_indexed_deleted,
  indexFile: info.index_file === NO_INDEX_FILE ? undefined : info.index_file,
  indexLoaded: info.index_loaded,
  indexHandle: info.cptr,
})
