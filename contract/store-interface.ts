/** Names and schemas of the store's HTTP interface, which operators use. */
import * as z from 'zod'
import { Natural, Share } from './scalars.ts'

/** Name of a gallery in the store. It may belong to an owner or to no owner. */
export const STORE_GALLERY = /^[a-zA-Z0-9_-]{1,128}$/

const StoreGallery = z.string().regex(STORE_GALLERY)

/** Path of an operation on a gallery. Gallery names need no escaping. */
export const galleryPath = (gallery: string, ...rest: readonly (string | number)[]): string =>
  ['/v1', gallery, ...rest].join('/')

/** Path of the statistics of one gallery. */
export const infoPath = (gallery: string): string => `/stat/info/${gallery}`
/** Path of a page of the gallery list. `start` counts from 1. */
export const galleriesPath = (start: number, limit: number): string => `/stat/list/${start}/${limit}`

/** Float32, little-endian, in Base64. */
const Facen = z.base64()

/** Result of a search. `conf` is the calibrated confidence with four decimals. Results are sorted by it. */
export interface FoundFace {
  id: number
  conf: number
}

/** Response header of a search: whether an index was used. */
export const SEARCH_HEADER = 'x-search-stat'
export const WITH_INDEX = 'with_index'
export const WITHOUT_INDEX = 'without_index'

/** Response header `live/total`: shards that answered the search, and all shards. */
export const LIVE_HEADER = 'x-live-servers'

/** Response to `list`: one page of stored vectors. `space` is where a search finds the vector. */
export const ListedFacesSchema = z.strictObject({
  faces: z.array(
    z.strictObject({ id: Natural, space: z.enum(['linear', 'preindex', 'indexed']), facen: Facen }),
  ),
  /** First id of the next page; null on the last page. */
  next: Natural.nullable(),
})

/** Value of `index_file` for a gallery without an index. */
export const NO_INDEX_FILE = 'none'

/** Entry of the gallery list: numbers of vectors by space. */
const GalleryEntrySchema = z.strictObject({
  /** First 48 bits of the SHA-256 of the name. */
  id: Natural,
  name: StoreGallery,
  cnt_linear: Natural,
  cnt_preindex: Natural,
  cnt_indexed: Natural,
})
export type GalleryEntry = z.infer<typeof GalleryEntrySchema>

/** Response to a statistics request of one gallery. */
export const GalleryInfoSchema = z.strictObject({
  ...GalleryEntrySchema.shape,
  cnt_preindex_deleted: Natural,
  cnt_indexed_deleted: Natural,
  index_file: z.string().min(1).max(65_536),
  index_loaded: z.boolean(),
  /** Below 2^48. */
  cptr: Natural.lt(2 ** 48),
})
export type GalleryInfo = z.infer<typeof GalleryInfoSchema>

/** Response to a gallery list with `info=1`: the info of each gallery. */
export const GalleryInfosSchema = z.strictObject({ galleries: z.array(GalleryInfoSchema), total: Natural })

/** State of the index of a gallery. `progress` is 0..1, and 1 unless the index is being built. */
export const IndexStateSchema = z.strictObject({
  state: z.enum(['none', 'building', 'ready', 'failed']),
  progress: Share,
})
