/** Galleries: creates, lists, changes and checks them, and counts their faces and vectors. */
import { hash } from 'node:crypto'
import { badParam, ServiceError } from '../../../contract/errors.ts'
import {
  DEFAULT_GALLERY,
  type Gallery,
  type GalleryStatistics,
  storeGallery,
} from '../../../contract/model/gallery.ts'
import { likelyName } from '../../../contract/nearest-name.ts'
import type { Change, RpcRequest, RpcResponse } from '../../../contract/operations/messages.ts'
import { ownerRetention, setOwnerRetention } from '../../metadata/access/owners.ts'
import type { Database } from '../../metadata/database.ts'
import { faceCount } from '../../metadata/faces/faces.ts'
import {
  countedGalleries,
  existingGalleries,
  type GallerySettings,
  galleryNamed,
  insertGallery,
  ownerGalleries,
  setGallery,
} from '../../metadata/galleries/galleries.ts'
import { eachAtOnce } from '../../pictures/objects.ts'
import { StoreUnavailable, type VectorStore } from '../../vector-store/vector-store.ts'
import type { Metadata, Services } from '../services.ts'

/** Names of the owner's galleries: `default`, then the others sorted by name. */
export async function listGalleries(
  { database }: Services,
  { owner }: RpcRequest<'galleries.list'>,
): Promise<RpcResponse<'galleries.list'>> {
  const found = await ownerGalleries(database, owner)
  const named = found.flatMap(({ name, displayName }) => (displayName ? [[name, displayName]] : []))
  return {
    galleries: [DEFAULT_GALLERY, ...found.map(({ name }) => name)],
    ...(named.length > 0 && { displayNames: Object.fromEntries(named) }),
  }
}

/** Galleries of an owner that a wrong name is compared with. 1,000 would hold up all requests for 40 ms. */
const COMPARED_NAMES = 100

/** The reason to refuse a gallery that the owner does not have. It names a similar one. */
export async function unknownGallery(database: Database, owner: string, gallery: string): Promise<string> {
  const names = (await ownerGalleries(database, owner, COMPARED_NAMES)).map(({ name }) => name)
  const near = likelyName(gallery, names)
  return `There is no gallery "${gallery}".${near === undefined ? '' : ` Did you mean "${near}"?`}`
}

/** Throws BAD_PARAM with the name of the first gallery that the owner does not have. */
export async function checkGalleries(
  { database }: Metadata,
  { owner, galleries, param }: { owner: string; galleries: readonly string[]; param: string },
): Promise<void> {
  const existing = await existingGalleries(database, owner, galleries)
  const unknown = galleries.find(name => name !== DEFAULT_GALLERY && !existing.has(name))
  if (unknown !== undefined) throw badParam(param, unknown, await unknownGallery(database, owner, unknown))
}

/** Filter for faces of a gallery. `default` and undefined need no filter. Throws NOT_FOUND for an unknown gallery. */
export async function galleryFilter(
  { database }: Metadata,
  owner: string,
  gallery: string | undefined,
): Promise<{ gallery?: string }> {
  if (gallery === undefined || gallery === DEFAULT_GALLERY) return {}
  if (!(await existingGalleries(database, owner, [gallery])).has(gallery))
    throw new ServiceError('NOT_FOUND', { reason: await unknownGallery(database, owner, gallery) })
  return { gallery }
}

/** The gallery that a parameter names; undefined for all faces. Throws BAD_PARAM for an unknown gallery. */
export async function galleryParameter(
  { database }: Metadata,
  owner: string,
  gallery: string | undefined,
): Promise<string | undefined> {
  if (gallery === undefined || gallery === DEFAULT_GALLERY) return undefined
  await checkGalleries({ database }, { owner, galleries: [gallery], param: 'gallery' })
  return gallery
}

/** Throws GALLERY_EXISTS, also for `default`. A retention of 0 and an empty display name mean none. */
export async function createGallery(
  { database, now }: Services,
  { owner, gallery, retentionDays, displayName }: Change<'gallery.create'>,
): Promise<RpcResponse<'gallery.create'>> {
  const settings = { retentionDays: retentionDays || null, displayName: displayName || null }
  const made =
    gallery !== DEFAULT_GALLERY &&
    (await insertGallery(database, {
      owner,
      name: gallery,
      created: now() * 1000,
      ...settings,
    }))
  if (!made) throw new ServiceError('GALLERY_EXISTS', { param: 'gallery' })
  return { gallery: galleryAnswer(gallery, settings) }
}

/** Throws NOT_FOUND when the owner does not have this gallery. `default` has the retention of the owner. */
export async function getGallery(
  { database }: Metadata,
  { owner, gallery }: RpcRequest<'gallery.get'>,
): Promise<RpcResponse<'gallery.get'>> {
  if (gallery === DEFAULT_GALLERY)
    return { gallery: galleryAnswer(gallery, await defaultSettings(database, owner)) }
  const found = await galleryNamed(database, owner, gallery)
  if (!found) throw new ServiceError('NOT_FOUND', { reason: await unknownGallery(database, owner, gallery) })
  return { gallery: galleryAnswer(gallery, found) }
}

/**
 * Changes the given settings. Throws NOT_FOUND when the owner does not have this gallery, and BAD_PARAM for a display name of
 * `default`: the owner's settings apply to it.
 */
export async function changeGallery(
  services: Metadata,
  { owner, gallery, retentionDays, displayName }: Change<'gallery.update'>,
): Promise<RpcResponse<'gallery.update'>> {
  if (gallery === DEFAULT_GALLERY) {
    if (displayName) throw badParam('display_name', displayName, 'The gallery default has no display name.')
    if (retentionDays !== undefined) await setOwnerRetention(services.database, owner, retentionDays || null)
  } else if (retentionDays !== undefined || displayName !== undefined) {
    await setGallery(services.database, owner, gallery, {
      ...(retentionDays !== undefined && { retentionDays: retentionDays || null }),
      ...(displayName !== undefined && { displayName: displayName || null }),
    })
  }
  return getGallery(services, { owner, gallery })
}

const defaultSettings = async (database: Database, owner: string): Promise<GallerySettings> => ({
  retentionDays: await ownerRetention(database, owner),
  displayName: null,
})

/** Gallery of a response. Unset fields are absent. */
const galleryAnswer = (name: string, { retentionDays, displayName }: GallerySettings): Gallery => ({
  name,
  display_name: displayName || undefined,
  retention_days: retentionDays || undefined,
})

/** Sorted names without `default` and without duplicates. */
export const namedGalleries = (galleries: readonly string[]): string[] =>
  [...new Set(galleries)].filter(name => name !== DEFAULT_GALLERY).sort()

/** Galleries that the store is asked for at once. */
const CONCURRENT_GALLERIES = 8

/** `default`, then the others sorted by name. While the store is unavailable, the fields of its numbers are absent. */
export async function galleryStatistics(
  { database, vectors }: Pick<Services, 'database' | 'vectors'>,
  { owner }: RpcRequest<'galleries.statistics'>,
): Promise<RpcResponse<'galleries.statistics'>> {
  const galleries = [
    {
      name: DEFAULT_GALLERY,
      faces: await faceCount(database, owner),
      ...(await defaultSettings(database, owner)),
    },
    ...(await countedGalleries(database, owner)),
  ]
  const states = await storeStates(
    vectors,
    galleries.map(({ name }) => storeGallery(owner, name)),
  )
  return {
    galleries: galleries.map(({ name, faces, ...settings }, i) => ({
      ...galleryAnswer(name, settings),
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
    await eachAtOnce(CONCURRENT_GALLERIES, names.entries(), async ([i, name]) => {
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

export const galleryHandlers = {
  'galleries.list': listGalleries,
  'galleries.statistics': galleryStatistics,
  'gallery.get': getGallery,
  'gallery.create': createGallery,
  'gallery.update': changeGallery,
}

/**
 * Number of a gallery in the store interface and in the audit log: the first 48 bits of the SHA-256 of its name. It is equal in all
 * cores. A collision among a million galleries is improbable.
 */
export const galleryNumber = (name: string): number => hash('sha256', name, 'buffer').readUIntBE(0, 6)
