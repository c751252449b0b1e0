/** The faces of a gallery, or those of them with one meta, as a paged list. */
import type { Face, MienClient } from '../../clients/typescript/src/index.ts'
import { PagedList } from './paged-list.ts'

/** Faces per request: a few screens of them. */
const PAGE_SIZE = 60

/** Faces per request when only their ids are needed. */
const ID_PAGE_SIZE = 1_000

export interface FaceFilter {
  gallery: string
  /** Exactly this meta; undefined for all faces. */
  meta: string | undefined
}

/** The API lists the faces of a meta at once: their list has one page. */
export const faceList = (client: MienClient, { gallery, meta }: FaceFilter): PagedList<Face> =>
  new PagedList<Face>(async (after, signal) => {
    const list = client.faces.list({ gallery, meta, pageSize: PAGE_SIZE, max_id: after }, { signal })
    const first = await list.pages().next()
    const items = first.value ?? []
    return { items, isLast: meta !== undefined || items.length < PAGE_SIZE }
  })

/** Ids of all faces of a filter. Calls `onProgress` with their number after each page. */
export async function allIds(
  client: MienClient,
  { gallery, meta }: FaceFilter,
  onProgress: (count: number) => void,
): Promise<Set<number>> {
  const ids = new Set<number>()
  for await (const page of client.faces.list({ gallery, meta, pageSize: ID_PAGE_SIZE }).pages()) {
    for (const { id } of page) ids.add(id)
    onProgress(ids.size)
  }
  return ids
}
