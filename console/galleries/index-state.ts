/** The state of the index of a gallery, in words. */
import type { GalleryStatistics } from '../../clients/typescript/src/index.ts'
import { formatShare } from '../format.ts'
import { TEXTS } from '../texts.ts'

/** How a search finds the faces of a gallery. */
export function indexState({ index, indexed = 0, vectors = 0 }: GalleryStatistics): string {
  if (index === undefined) return TEXTS.galleries.unknown
  if (index === 'none') return TEXTS.galleries.exact
  if (index === 'building') return TEXTS.galleries.building
  return indexed >= vectors
    ? TEXTS.galleries.indexed
    : TEXTS.galleries.partlyIndexed(formatShare(indexed / vectors))
}
