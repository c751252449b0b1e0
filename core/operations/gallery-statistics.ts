/** Statistics of an owner's galleries: faces from the metadata, vectors and indexes from the vector store. */

import { DEFAULT_GALLERY, type GalleryStatistics, storeGallery } from '../../contract/model/gallery.ts'
import type { RpcRequest, RpcResponse } from '../../contract/rpc/operations.ts'
import { faceCount } from '../metadata/queries/faces.ts'
import { countedGalleries } from '../metadata/queries/galleries.ts'
import { ownerRetention } from '../metadata/queries/owners.ts'
import { eachAtOnce } from '../pictures/objects.ts'
import { StoreUnavailable, type VectorStore } from '../vector-store/vector-store.ts'
import type { Services } from './services.ts'

/** Galleries that the store is asked for at once. */
const AT_ONCE = 8

/** `default`, then the others sorted by name. While the store is unavailable, the fields of its numbers are absent. */
export async function galleryStatistics(
  { database, vectors }: Pick<Services, 'database' | 'vectors'>,
  { owner }: RpcRequest<'galleries.statistics'>,
): Promise<RpcResponse<'galleries.statistics'>> {
  const galleries = [
    {
      name: DEFAULT_GALLERY,
      faces: await faceCount(database, owner),
      retentionDays: await ownerRetention(database, owner),
    },
    ...(await countedGalleries(database, owner)),
  ]
  const states = await storeStates(
    vectors,
    galleries.map(({ name }) => storeGallery(owner, name)),
  )
  return {
    galleries: galleries.map(({ name, faces, retentionDays }, i) => ({
      name,
      ...(retentionDays ? { retention_days: retentionDays } : {}),
      faces,
      ...states[i],
    })),
  }
}

type StoreState = Pick<GalleryStatistics, 'vectors' | 'indexed' | 'index'>

/** The state of each gallery in the store; an empty list while the store is unavailable. */
async function storeStates(vectors: VectorStore, names: readonly string[]): Promise<StoreState[]> {
  const states: StoreState[] = []
  try {
    await eachAtOnce(AT_ONCE, names.entries(), async ([i, name]) => {
      states[i] = await storeState(vectors, name)
    })
    return states
  } catch (error) {
    if (error instanceof StoreUnavailable) return []
    throw error
  }
}

async function storeState(vectors: VectorStore, name: string): Promise<StoreState> {
  const found = await vectors.gallery(name)
  if (!found) return { vectors: 0, indexed: 0, index: 'none' }
  const { linear, preindex, indexed } = found
  const index = preindex > 0 ? 'building' : found.indexFile === undefined ? 'none' : 'ready'
  return { vectors: linear + preindex + indexed, indexed, index }
}

/** Handlers of this file by the names of their messages. */
export const galleryStatisticsHandlers = {
  'galleries.statistics': galleryStatistics,
}
