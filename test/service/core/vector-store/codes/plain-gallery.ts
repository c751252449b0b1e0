/** A reference gallery without codes: it sorts all vectors for every search. */
import { BestCandidates } from '#core/vector-store/best-candidates.ts'
import { exactBest } from '#core/vector-store/codes/exact-best.ts'
import type { CodeGallery, ScanBounds } from '#core/vector-store/shard/code-gallery.ts'
import { cosine } from '#core/vector-store/unit-vector.ts'
import type { Candidate, SearchBounds, Space } from '#core/vector-store/vector-store.ts'

export class PlainGallery {
  readonly vectors = new Map<number, Float32Array>()
  readonly spaces = new Map<number, Space>()

  add(id: number, vector: Float32Array): void {
    this.vectors.set(id, vector)
    this.spaces.set(id, 'linear')
  }

  remove(id: number): void {
    this.vectors.delete(id)
    this.spaces.delete(id)
  }

  counts(): Record<Space, number> {
    const counts = { linear: 0, preindex: 0, indexed: 0 }
    for (const space of this.spaces.values()) counts[space]++
    return counts
  }

  /** The expected answer of a search; `among` selects spaces. */
  search(probe: Float32Array, bounds: SearchBounds, among = (_: Space) => true): Candidate[] {
    const best = new BestCandidates(bounds)
    for (const id of this.vectors.keys()) {
      if (among(this.spaces.get(id)!)) best.offer(id, this.score(probe, id))
    }
    return best.ranked()
  }

  score(probe: Float32Array, id: number): number {
    return cosine(probe, this.vectors.get(id)!)
  }

  /** The answer of the codes, with these vectors for the exact comparison. */
  searchCodes(
    codes: CodeGallery,
    probe: Float32Array,
    bounds: SearchBounds,
    options: Partial<ScanBounds> = {},
  ): Candidate[] {
    const scan = (wanted: number, minScore: number) => codes.scan(probe, { wanted, minScore, ...options })
    return exactBest(probe, bounds, scan, ids => ids.map(id => this.vectors.get(id)))
  }
}
