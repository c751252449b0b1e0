/** One gallery of a shard: its record in the file, its codes in memory, and the state of its index. */

import type { CodeMemory } from '../codes/int8-codes.ts'
import type { GalleryRecord } from '../rows/row-reader.ts'
import type { GalleryStatistics, IndexState } from '../vector-store.ts'
import { CodeGallery } from './code-gallery.ts'
import type { StoredGallery } from './shard-batch.ts'

/** The loaded index: its file name in the index folder, and a handle that is unique in the process. */
interface LoadedIndex {
  readonly file: string
  readonly handle: number
}

export class ShardGallery implements StoredGallery {
  readonly record: GalleryRecord
  readonly codes: CodeGallery
  /** Ids of damaged rows in the file. They are not served but can be removed. */
  readonly aside = new Set<number>()
  loaded: LoadedIndex | undefined
  indexing: IndexState = { state: 'none', progress: 1 }
  /** Rows that were removed since the index, or the snapshot for the next one, was copied. */
  deleted = { linear: 0, preindex: 0, indexed: 0 }
  /** The gallery was removed from the shard; tasks in progress for it are obsolete. */
  gone = false

  constructor(memory: CodeMemory, record: GalleryRecord) {
    this.record = record
    this.codes = new CodeGallery(memory, record.dimension)
  }

  get dimension(): number {
    return this.record.dimension
  }

  serves(id: number): boolean {
    return this.codes.has(id)
  }

  keeps(id: number): boolean {
    return this.codes.has(id) || this.aside.has(id)
  }

  /** Whether the file has no row of this gallery. */
  get isEmpty(): boolean {
    return this.codes.size === 0 && this.aside.size === 0
  }

  /** Removes a row from the codes. */
  remove(id: number): void {
    const space = this.codes.remove(id)
    if (space) this.deleted[space]++
  }

  /** Stops serving a row that turned out to be damaged. */
  setAside(id: number): void {
    this.remove(id)
    this.aside.add(id)
  }

  release(): void {
    this.gone = true
    this.codes.release()
  }

  statistics(): GalleryStatistics {
    return {
      gallery: this.record.name,
      ...this.codes.counts(),
      preindexDeleted: this.deleted.preindex,
      indexedDeleted: this.deleted.indexed,
      indexFile: this.loaded?.file,
      indexLoaded: this.loaded !== undefined,
      indexHandle: this.loaded?.handle ?? 0,
    }
  }
}
