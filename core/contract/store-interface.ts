/** The store's own HTTP interface: names and shapes that its operators, its routes and another core agree on. */
import * as z from 'zod'

/** The store's name of a gallery, of any owner or of none. */
export const STORE_GALLERY = /^[a-zA-Z0-9_-]{1,128}$/

const StoreGallery = z.string().regex(STORE_GALLERY)
const Id = z.int().min(0)
const Count = z.int().min(0)

/** The path of an operation on a gallery. Gallery names need no escaping. */
export const galleryPath = (gallery: string, ...rest: readonly (string | number)[]): string =>
  ['/v1', gallery, ...rest].join('/')

export const infoPath = (gallery: string): string => `/stat/info/${gallery}`
export const galleriesPath = (start: number, limit: number): string => `/stat/list/${start}/${limit}`

/** Float32, little-endian, in Base64. */
const Facen = z.base64()

export const StoredFaceSchema = z.strictObject({ id: Id, facen: Facen })

/** A face that a search found: `conf` is the calibrated confidence, four decimals, by which they are ranked. */
export interface FoundFace {
  id: number
  conf: number
}

/** What `scores=1` answers instead, by which another core merges what its shards found: cosines, by which these are ranked. */
export const ScoredFacesSchema = z.array(
  z.strictObject({
    id: Id,
    score: z.number().min(-1).max(1),
    /** Only for `vectors=1`. */
    facen: Facen.optional(),
  }),
)
export type ScoredFaces = z.infer<typeof ScoredFacesSchema>

/** Whether an index was asked: the values of the header of a search. */
export const SEARCH_HEADER = 'x-search-stat'
export const WITH_INDEX = 'with_index'
export const WITHOUT_INDEX = 'without_index'

/** `live/total` parts of the store that answered a search. */
export const LIVE_HEADER = 'x-live-servers'

export const ListedFacesSchema = z.strictObject({
  faces: z.array(z.strictObject({ id: Id, space: z.enum(['linear', 'preindex', 'indexed']), facen: Facen })),
  /** The id that the next list starts with; null after the last. */
  next: Id.nullable(),
})

/** `none` in the place of an index's file. */
export const NO_INDEX_FILE = 'none'

export const GalleryEntrySchema = z.strictObject({
  /** Made of the name alone: the first 48 bits of its SHA-256. */
  id: z.int().min(0),
  name: StoreGallery,
  cnt_linear: Count,
  cnt_preindex: Count,
  cnt_indexed: Count,
})
export type GalleryEntry = z.infer<typeof GalleryEntrySchema>

export const GalleryInfoSchema = z.strictObject({
  ...GalleryEntrySchema.shape,
  cnt_preindex_deleted: Count,
  cnt_indexed_deleted: Count,
  index_file: z.string().min(1).max(65_536),
  index_loaded: z.boolean(),
  /** Below 2^48. */
  cptr: z
    .int()
    .min(0)
    .lt(2 ** 48),
})
export type GalleryInfo = z.infer<typeof GalleryInfoSchema>

/** What `info=1` makes of the list: the info of each gallery, so that another core need not ask for one after the other. */
export const GalleryInfosSchema = z.strictObject({ galleries: z.array(GalleryInfoSchema), total: Count })

export const IndexStateSchema = z.strictObject({
  state: z.enum(['none', 'building', 'ready', 'failed']),
  progress: z.number().min(0).max(1),
})

export const StoreRefusalSchema = z.object({ code: z.string(), reason: z.string() })
