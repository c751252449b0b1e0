/** What can be true of a shard's answer: whoever says anything else is not believed at all. */

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
 * No more than were asked for, in their order, with scores of cosines, of the shard's own cells and, where they were
 * asked for, with vectors of the probe's length.
 */
export const isValidSearchResult =
  (cells: Cells, { limit, minScore, withVectors = false }: SearchBounds, length: number) =>
  ({ candidates }: Found): boolean =>
    candidates.length <= limit &&
    candidates.every(
      ({ id, score, vector }, i) =>
        // Written so that NaN fails.
        score >= Math.max(-1, minScore) &&
        score <= 1 &&
        cells.has(cellOf(id)) &&
        (i === 0 || orderCores(candidates[i - 1]!, { id, score })) &&
        (!withVectors || (vector?.length === length && hasDirection(vector))),
    )

const hasDirection = (vector: Float32Array): boolean =>
  vector.every(Number.isFinite) && vector.some(value => value !== 0)

const orderCores = (before: Candidate, after: Candidate): boolean =>
  before.score > after.score || (before.score === after.score && before.id < after.id)

/** By rising id from `from` on, no more than were asked for, of the shard's own cells; the next page is behind them. */
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

/** What was removed is some of what was to be removed. */
export const isValidRemoval = (asked: readonly VectorKey[]) => (removed: readonly VectorKey[]) => {
  const keys = new Set(asked.map(keyText))
  return removed.every(key => keys.has(keyText(key)))
}

export const isOwnKey =
  (cells: Cells) =>
  ({ id }: VectorKey): boolean =>
    cells.has(cellOf(id))

/** Each gallery once. */
export const areDistinctGalleries = (galleries: readonly GalleryStatistics[]): boolean =>
  new Set(galleries.map(({ gallery }) => gallery)).size === galleries.length

const keyText = ({ gallery, id }: VectorKey): string => `${gallery}/${id}`
