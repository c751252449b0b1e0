/** Searches of one gallery: exact ones, which prove what they answer, and ones that ask its index. */
import { BestCandidates } from '../best.ts'
import { dot, unitVector } from '../unit-vector.ts'
import { type Found, type SearchBounds, VectorRefused } from '../vector-store.ts'
import type { IndexType } from './address.ts'
import { vectorBytes } from './binary.ts'
import type { Sql } from './client.ts'
import { type GalleryRecord, galleryNamed, partition, rowsOf } from './galleries.ts'

/** A vector with what the database made of it: the inner product with the probe, turned round, in 32 bits. */
interface Near {
  id: number
  vector: Float32Array
  product: number
}

/** Vectors beyond the limit that are read, so that most answers are proved, or put right, by the first reading. */
const SPARE = 16

/** The most candidates that an index is asked for: it keeps that many in mind. */
const MOST_OF_INDEX = 1_000

/** An index is left alone by who wants so large a part of the gallery. */
const LARGE_PART = 0.1

/** Half the distance between 1 and the next number of 32 bits. */
const ROUNDING = 2 ** -24

export interface SearchSettings {
  /** Candidates that an index keeps in mind at least. */
  candidates: number
}

/** The answer, all of it as the gallery was at one moment. Throws VectorRefused for a probe that can't be compared. */
export async function searchGallery(
  sql: Sql,
  name: string,
  unit: Float32Array,
  bounds: SearchBounds,
  settings: SearchSettings,
): Promise<Found> {
  const gallery = await galleryNamed(sql, name)
  const found = { candidates: [], withIndex: false, live: 1, total: 1 }
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
    const candidates = best.ranked()
    if (!bounds.withVectors) return { ...found, candidates, withIndex }
    return {
      ...found,
      candidates: candidates.map(each => ({ ...each, vector: vectors.get(each.id)! })),
      withIndex,
    }
  }
  if (indexType !== null) {
    // All that there is, is in the index.
    if (bounds.linearOnly) return found
    const wanted = bounds.limit + SPARE
    if (wanted <= Math.min(MOST_OF_INDEX, gallery.vectors * LARGE_PART)) {
      const near = await nearByIndex(sql, { ...gallery, indexType }, unit, wanted, settings)
      if (near.length === wanted) {
        for (const each of near) offer(each)
        return answer(true)
      }
    }
  }
  await readExactly(sql, gallery, unit, bounds, best, offer)
  return answer(false)
}

/** Whatever was removed and is in the index still, the scan goes on until it has enough. */
async function nearByIndex(
  sql: Sql,
  { place, dimension, indexType }: GalleryRecord & { indexType: IndexType },
  unit: Float32Array,
  wanted: number,
  { candidates }: SearchSettings,
): Promise<Near[]> {
  const settings = Object.entries({
    'hnsw.ef_search': Math.min(MOST_OF_INDEX, Math.max(candidates, wanted)),
    'hnsw.iterative_scan': 'relaxed_order',
    // Else the planner may choose to sort everything, when it knows little of a new partition.
    enable_seqscan: false,
    enable_sort: false,
  })
  // Local to the transaction, as is what set it up.
  const set = sql(
    `select ${settings.map(([name, value]) => `set_config('${name}', '${value}', true)`).join(', ')}`,
  )
  const rows = sql<Near>(
    `select id, vector_send(vector) as vector from ${partition(place)}
      order by ${indexed(dimension, indexType)} <#> $1::vector::${indexType}(${dimension}) limit $2`,
    [vectorBytes(unit), wanted],
  )
  return (await Promise.all([set, rows]))[1]
}

/** What an index is made of: unit vectors, so that inner products are cosines, of one dimension. */
export const indexed = (dimension: number, type: IndexType): string =>
  `(l2_normalize(vector)::${type}(${dimension}))`

/**
 * Offers all that can be among the best. The expression is none that an index has: every vector is looked at. What the
 * database computes of it in 32 bits is off by less than an error that is known, so what it left out can be told.
 */
async function readExactly(
  sql: Sql,
  gallery: GalleryRecord,
  unit: Float32Array,
  { limit }: SearchBounds,
  best: BestCandidates,
  offer: (near: Near) => void,
): Promise<void> {
  const product = 'l2_normalize(vector) <#> $1::vector'
  const wanted = limit + SPARE
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
    ) compared where product between $2 and $3`,
    [vectorBytes(unit), last, bar],
  )
  const seen = new Set(near.map(({ id }) => id))
  for (const each of more) if (!seen.has(each.id)) offer(each)
}

/**
 * The most by which a product of two unit vectors that is summed up in 32 bits, in any order, is off: each product and
 * each sum is rounded once (Higham, Accuracy and Stability of Numerical Algorithms, 3.1), and so are both vectors.
 */
const errorOf = (dimension: number): number => (dimension + 8) * ROUNDING * 1.01

/** Rounding can carry the product of two unit vectors past the cosine's range. */
const cosine = (unit: Float32Array, vector: Float32Array): number =>
  Math.max(-1, Math.min(1, dot(unit, unitVector(vector), 0)))
