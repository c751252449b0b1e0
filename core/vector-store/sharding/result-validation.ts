/** Validation of shard responses: an impossible value invalidates the whole response. */

import type {
  Candidate,
  Found,
  GalleryStatistics,
  SearchBounds,
  VectorKey,
  VectorPage,
} from '../vector-store.ts'
import { cellOf } from './cells.ts'

type Cells = ReadonlySet<number>

/**
 * At most `limit` candidates, in rank order, with cosines of at least `minScore`, from the shard's own cells, and with
 * vectors of the probe's length if `withVectors` is set.
 */
export const isValidSearchResult =
  (cells: Cells, { limit, minScore, withVectors = false }: SearchBounds, length: number) =>
  ({ candidates }: Found): boolean =>
    candidates.length <= limit &&
    candidates.every(
      ({ id, score, vector }, i) =>
        // These comparisons are false for NaN.
        score >= Math.max(-1, minScore) &&
        score <= 1 &&
        cells.has(cellOf(id)) &&
        (i === 0 || isRankedBefore(candidates[i - 1]!, { id, score })) &&
        (!withVectors || (vector?.length === length && hasDirection(vector))),
    )

const hasDirection = (vector: Float32Array): boolean =>
  vector.every(Number.isFinite) && vector.some(value => value !== 0)

const isRankedBefore = (before: Candidate, after: Candidate): boolean =>
  before.score > after.score || (before.score === after.score && before.id < after.id)

/** At most `count` vectors by rising id from `from` on, from the shard's own cells; `next` is greater than the last id. */
export const isValidPage =
  (cells: Cells, from: number, count: number) =>
  ({ vectors, next }: VectorPage): boolean => {
    const ids = vectors.map(({ id }) => id)
    const rising = [...ids, ...(next === undefined ? [] : [next])].every(
      (id, i, all) => id >= (i === 0 ? from : all[i - 1]! + 1),
    )
    const numbers = vectors.every(({ vector }) => vector.length > 0 && vector.every(Number.isFinite))
    return vectors.length <= count && rising && numbers && ids.every(id => cells.has(cellOf(id)))
  }

/** The removed keys are a subset of the requested keys. */
export const isValidRemoval = (asked: readonly VectorKey[]) => (removed: readonly VectorKey[]) => {
  const keys = new Set(asked.map(keyText))
  return removed.every(key => keys.has(keyText(key)))
}

/** The key is in one of the shard's cells. */
export const isOwnKey =
  (cells: Cells) =>
  ({ id }: VectorKey): boolean =>
    cells.has(cellOf(id))

/** Each gallery occurs once. */
export const areDistinctGalleries = (galleries: readonly GalleryStatistics[]): boolean =>
  new Set(galleries.map(({ gallery }) => gallery)).size === galleries.length

const keyText = ({ gallery, id }: VectorKey): string => `${gallery}/${id}`
