/** Searches of one gallery: exact ones with a proof of their results, and approximate ones by its index. */
import { BestCandidates } from '../best-candidates.ts'
import { MOST_COMPARED } from '../codes/exact-best.ts'
import { cosine } from '../unit-vector.ts'
import { type Found, type SearchBounds, VectorRefused } from '../vector-store.ts'
import type { IndexType } from './address.ts'
import { type Sql, vectorBytes } from './client.ts'
import { type GalleryRecord, galleryNamed, partition, rowsOf } from './galleries.ts'

/** A vector with the product that the database computed: the negative inner product with the probe, in float32. */
interface Near {
  id: number
  vector: Float32Array
  product: number
}

/** Vectors beyond the limit that are read: they prove or correct most results without a second read. */
const SPARE_VECTORS = 16

/** Greatest number of candidates that an index search keeps (limit of pgvector). */
const MAX_CANDIDATES = 1_000

/** Fraction of a gallery above which a search does not use the index. */
const MAX_INDEX_FRACTION = 0.1

/** Unit roundoff of float32: half the distance between 1 and the next number. */
const FLOAT32_ROUNDOFF = 2 ** -24

/**
 * Searches one snapshot of a gallery. An index search keeps at least `candidates` (ef_search). Throws VectorRefused
 * (`dimension`) when the probe cannot be compared.
 */
export async function searchGallery(
  sql: Sql,
  name: string,
  unit: Float32Array,
  bounds: SearchBounds,
  candidates: number,
): Promise<Found> {
  const gallery = await galleryNamed(sql, name)
  const found: Found = { candidates: [], withIndex: false, live: 1, total: 1 }
  if (!gallery) return found
  if (gallery.dimension !== unit.length) throw new VectorRefused('dimension')
  const { indexType } = gallery
  const best = new BestCandidates(bounds)
  const vectors = new Map<number, Float32Array>()
  const offer = ({ id, vector }: Near) => {
    best.offer(id, cosine(unit, vector))
    if (bounds.withVectors) vectors.set(id, vector)
  }
  const answer = (withIndex: boolean): Found => {
    const ranked = best.ranked()
    const withVectors = () => ranked.map(each => ({ ...each, vector: vectors.get(each.id)! }))
    return { ...found, candidates: bounds.withVectors ? withVectors() : ranked, withIndex }
  }
  if (indexType !== null) {
    // The index has every vector: the space `linear` is empty.
    if (bounds.linearOnly) return found
    const wanted = bounds.limit + SPARE_VECTORS
    if (wanted <= Math.min(MAX_CANDIDATES, gallery.vectors * MAX_INDEX_FRACTION)) {
      const near = await nearByIndex(sql, { ...gallery, indexType }, unit, wanted, candidates)
      if (near.length === wanted) {
        for (const each of near) offer(each)
        return answer(true)
      }
    }
  }
  await readExactly(sql, gallery, unit, bounds, best, offer)
  return answer(false)
}

/** The scan skips removed vectors that are still in the index, and continues until it has enough. */
async function nearByIndex(
  sql: Sql,
  { place, dimension, indexType }: GalleryRecord & { indexType: IndexType },
  unit: Float32Array,
  wanted: number,
  candidates: number,
): Promise<Near[]> {
  const settings = Object.entries({
    'hnsw.ef_search': Math.min(MAX_CANDIDATES, Math.max(candidates, wanted)),
    'hnsw.iterative_scan': 'relaxed_order',
    // Otherwise the planner may sort the whole table when it has no statistics of a new partition.
    enable_seqscan: false,
    enable_sort: false,
  })
  // Local to the transaction, like the settings of its begin.
  const set = sql(
    `select ${settings.map(([name, value]) => `set_config('${name}', '${value}', true)`).join(', ')}`,
  )
  const rows = sql<Near>(
    `select id, vector_send(vector) as vector from ${partition(place)}
      order by ${indexedExpression(dimension, indexType)} <#> $1::vector::${indexType}(${dimension}) limit $2`,
    [vectorBytes(unit), wanted],
  )
  return (await Promise.all([set, rows]))[1]
}

/** Indexed expression: unit vectors of one dimension, whose inner products are cosines. */
export const indexedExpression = (dimension: number, type: IndexType): string =>
  `(l2_normalize(vector)::${type}(${dimension}))`

/**
 * Offers every vector that can be among the best. No index has this expression: the database scans every vector. The
 * error bound of its float32 products decides whether an omitted vector can rank higher.
 */
async function readExactly(
  sql: Sql,
  gallery: GalleryRecord,
  unit: Float32Array,
  { limit }: SearchBounds,
  best: BestCandidates,
  offer: (near: Near) => void,
) {
  const product = 'l2_normalize(vector) <#> $1::vector'
  const wanted = limit + SPARE_VECTORS
  const near = await sql<Near>(
    `select id, vector_send(vector) as vector, product from (
      select id, vector, ${product} as product from ${rowsOf(gallery)} order by 3 limit $2
    ) near order by product`,
    [vectorBytes(unit), wanted],
  )
  for (const each of near) offer(each)
  if (near.length < wanted) return
  const last = near.at(-1)!.product
  const bar = -best.bar + errorOf(unit.length)
  if (last > bar) return
  const more = await sql<Near>(
    `select id, vector_send(vector) as vector from (
      select id, vector, ${product} as product from ${rowsOf(gallery)} offset 0
    ) compared where product between $2 and $3 order by product, id limit $4`,
    [vectorBytes(unit), last, bar, wanted + MOST_COMPARED],
  )
  const seen = new Set(near.map(({ id }) => id))
  for (const each of more) if (!seen.has(each.id)) offer(each)
}

/**
 * Error bound of the float32 product of two unit vectors, summed in any order: each product and each sum is rounded
 * once (Higham, Accuracy and Stability of Numerical Algorithms, 3.1), and both vectors are rounded.
 */
const errorOf = (dimension: number) => (dimension + 8) * FLOAT32_ROUNDOFF * 1.01
