/** The faces of a gallery that meet a filter, as a paged list. */
import type { Face, MienClient } from '../../clients/typescript/src/index.ts'
import { firstPage, PAGE_SIZE, PagedList } from '../grid/paged-list.ts'
import { conditionsOf, type Filter } from './conditions.ts'

/** Faces per request when only their ids are needed. */
const ID_PAGE_SIZE = 1_000

export const faceList = (client: MienClient, gallery: string, filter: Filter): PagedList<Face> =>
  new PagedList<Face>((after, signal) => {
    const question = { ...conditionsOf(filter), gallery, pageSize: PAGE_SIZE, max_id: after }
    return firstPage(client.faces.list(question, { signal }))
  })

/** Ids of all faces of a gallery that meet a filter. Calls `onProgress` with their number after each page. */
export async function allIds(
  client: MienClient,
  gallery: string,
  filter: Filter,
  onProgress: (count: number) => void,
): Promise<Set<number>> {
  const ids = new Set<number>()
  const question = { ...conditionsOf(filter), gallery, pageSize: ID_PAGE_SIZE }
  for await (const page of client.faces.list(question).pages()) {
    for (const { id } of page) ids.add(id)
    onProgress(ids.size)
  }
  return ids
}
