/** Keeps in memory how alike the people of galleries are. */
import type { Alikeness } from './threshold.ts'

/** An alikeness, and the size of the gallery when it was measured: its faces, or persons. */
export type Measured = Alikeness & { size: number }

/** A measurement that is kept in memory. */
export interface Kept {
  measured: Measured
  size: number
  /** Digest of who the faces show, of a small gallery; else empty. */
  labels: string
  /** environment.monotonic() */
  since: number
}

/** Galleries whose measurement is kept in memory. */
const CACHED_GALLERIES = 1_000

/** Measurements of galleries by their keys. The oldest one leaves first. */
export class AlikenessCache extends Map<string, Kept> {
  /** The number of persons of owners who have many. It is used `until` this time of `environment.monotonic()`. */
  readonly personCounts = new Map<string, { count: number; until: number }>()
  /** Measurements in progress. */
  readonly renewing = new Map<string, { labels: string; measured: Promise<Measured | undefined> }>()

  override set(key: string, kept: Kept): this {
    this.delete(key)
    if (this.size >= CACHED_GALLERIES) this.delete(this.keys().next().value!)
    return super.set(key, kept)
  }
}
