/** Merges the responses of several shards into one. */
import type { GalleryStatistics, IndexState, VectorPage } from '../vector-store.ts'

/** The first `count` vectors of all pages. Each page contains the first `count` vectors of its shard. */
export function mergedPage(pages: readonly VectorPage[], count: number): VectorPage {
  const vectors = pages.flatMap(page => page.vectors).sort((a, b) => a.id - b.id)
  const left = [...vectors.slice(count).map(({ id }) => id), ...pages.flatMap(({ next }) => next ?? [])]
  return {
    vectors: vectors.slice(0, count),
    next: left.length === 0 ? undefined : left.reduce((least, id) => Math.min(least, id)),
  }
}

/** Every gallery of the shards once, sorted by name. */
export function mergedGalleries(shards: readonly (readonly GalleryStatistics[])[]): GalleryStatistics[] {
  const parts = Map.groupBy(shards.flat(), ({ gallery }) => gallery)
  return [...parts.values()].map(mergedGallery).sort((a, b) => (a.gallery < b.gallery ? -1 : 1))
}

/** The statistics of a gallery from those of its shards; `parts` has at least one element. */
export function mergedGallery(parts: readonly GalleryStatistics[]): GalleryStatistics {
  const sum = (count: (part: GalleryStatistics) => number) =>
    parts.reduce((all, part) => all + count(part), 0)
  const indexes = parts.filter(({ indexFile }) => indexFile !== undefined)
  return {
    gallery: parts[0]!.gallery,
    linear: sum(part => part.linear),
    preindex: sum(part => part.preindex),
    indexed: sum(part => part.indexed),
    preindexDeleted: sum(part => part.preindexDeleted),
    indexedDeleted: sum(part => part.indexedDeleted),
    indexFile: indexes.length === 0 ? undefined : indexes.map(({ indexFile }) => indexFile).join(', '),
    indexLoaded: indexes.length > 0 && indexes.every(({ indexLoaded }) => indexLoaded),
    // A new index in one shard changes the sum. The modulus keeps it below 2^48: sums may be added up again elsewhere.
    indexHandle: parts.reduce((all, { indexHandle }) => (all + indexHandle) % 2 ** 48, 0),
  }
}

/** By falling precedence: an index is not ready while one shard builds its part or has failed to. */
const STATES = ['building', 'failed', 'ready', 'none'] as const

/** The state of an index in several shards; its progress is their mean. */
export function mergedIndex(parts: readonly IndexState[]): IndexState {
  const state = STATES.find(state => parts.some(part => part.state === state)) ?? 'none'
  const progress = parts.reduce((sum, part) => sum + part.progress, 0) / parts.length
  return { state, progress: state === 'building' ? progress : 1 }
}
